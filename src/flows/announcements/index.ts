import { listActions, releaseKinds, show } from "./list.ts";
import { announced, longestTemplate } from "./message.ts";
import { add, change } from "./setting.ts";
import { askRemove, feedOff, pause, resume, stepActions, test } from "./steps.ts";

/** Announcements of new releases: their setup, their state, and the messages themselves. */
export const announcements = {
  add,
  change,
  list: show,
  pause,
  resume,
  test,
  askRemove,
  kinds: releaseKinds,
  longestTemplate,
  actions: [...listActions, ...stepActions],
  events: [announced, feedOff],
} as const;

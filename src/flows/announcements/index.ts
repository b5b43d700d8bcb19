import { listActions, releaseKinds, show } from "./list.ts";
import { announced, longestTemplate } from "./message.ts";
import { add, change } from "./setting.ts";
import { feedOff, pause, questionRemove, resume, stepActions, test } from "./steps.ts";

/** Announcing what channels bring out: setting it up, how it goes, and what is said. */
export const announcements = {
  add,
  change,
  list: show,
  pause,
  resume,
  test,
  questionRemove,
  kinds: releaseKinds,
  longestTemplate,
  actions: [...listActions, ...stepActions],
  events: [announced, feedOff],
} as const;

import { listActions, show } from "./list.ts";
import { announced } from "./message.ts";
import { feedOff } from "./off.ts";
import { add, change } from "./setting.ts";
import { releaseKinds } from "./show.ts";
import { pause, questionRemove, resume, stepActions, test } from "./steps.ts";
import { longestTemplate } from "./template.ts";

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

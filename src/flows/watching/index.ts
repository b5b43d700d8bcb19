import type { Action } from "../../discord/index.ts";
import { decideActions, laterActions } from "./decide.ts";
import { digestActions } from "./digest-actions.ts";
import { fullActions } from "./full.ts";
import { groupActions } from "./group.ts";
import { manageActions } from "./manage.ts";
import { pingActions } from "./ping.ts";
import { replyActions } from "./reply.ts";
import { savedActions } from "./saved.ts";
import { statusActions } from "./status.ts";

/** What the queue of comments shows people, and what they press. */
export { addressOf, authorOf, beginningOf, oneLine } from "./comment.ts";
export { undoNote } from "./decide.ts";
export { events } from "./events.ts";
export { askToStop, pauseWatch, resumeWatch, testWatch } from "./manage.ts";
export { setPace } from "./pace.ts";
export { setPing } from "./ping.ts";
export { cardPresses } from "./presses.ts";
export { notNow } from "./redraw.ts";
export { savedReplies } from "./saved.ts";
export { setUp, stateChoices } from "./set-up.ts";
export { actorOf, mainOf, whoFirst, whyOf } from "./state.ts";
export { watchStatus } from "./status.ts";

export const actions: readonly Action<never>[] = [
  ...decideActions,
  ...laterActions,
  ...fullActions,
  ...replyActions,
  ...digestActions,
  ...groupActions,
  ...statusActions,
  ...pingActions,
  ...manageActions,
  ...savedActions,
];

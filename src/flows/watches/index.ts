import type { FlowAction } from "../declarations/index.ts";
import { cardDecisionActions, snoozeActions } from "./decide.ts";
import { digestActions } from "./digest.ts";
import { fullTextActions } from "./full-text.ts";
import { groupDecisionActions } from "./group.ts";
import { manageWatchActions } from "./manage.ts";
import { cardReplyActions } from "./reply.ts";
import { savedReplyActions } from "./saved-replies.ts";
import { pingActions } from "./settings.ts";
import { watchStatusActions } from "./status.ts";

/** The comment queue in Discord: cards, digests and their buttons, and what `/watch` does. */
export { collapseSpaces, commentAuthorName, commentBeginning, commentUrl } from "./comment.ts";
export { undoFromNote } from "./decide.ts";
export { watchEvents } from "./events.ts";
export { askToStop, pauseWatch, resumeWatch, testWatch } from "./manage.ts";
export { alreadyDecidedNotice } from "./redraw.ts";
export { showSavedReplies } from "./saved-replies.ts";
export { setUpWatch, watchStateChoices } from "./set-up.ts";
export { setWatchPace, setWatchPing } from "./settings.ts";
export { actorOf, commentStateLine, describeDecider, describeStoredFailure } from "./state.ts";
export { showWatchStatus } from "./status.ts";

export const watchActions: readonly FlowAction<never>[] = [
  ...cardDecisionActions,
  ...snoozeActions,
  ...fullTextActions,
  ...cardReplyActions,
  ...digestActions,
  ...groupDecisionActions,
  ...watchStatusActions,
  ...pingActions,
  ...manageWatchActions,
  ...savedReplyActions,
];

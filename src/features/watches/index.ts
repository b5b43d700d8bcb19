import type { FeatureAction } from "../declarations/index.ts";
import { caseFileActions } from "./case-file.ts";
import { digestActions } from "./choose-comments.ts";
import { consentActions } from "./consent.ts";
import { cardDecisionActions, snoozeActions } from "./decide.ts";
import { undoGroupActions } from "./decided.ts";
import { deleteWatchMessages } from "./delete-messages.ts";
import { fullTextActions } from "./full-text.ts";
import { groupDecisionActions } from "./group.ts";
import { manageWatchActions } from "./manage.ts";
import { moreActions } from "./more.ts";
import { reasonActions } from "./reason.ts";
import { cardReplyActions } from "./reply.ts";
import { savedReplyActions } from "./saved-replies.ts";
import { setUpActions } from "./set-up.ts";
import { pingActions } from "./settings.ts";
import { watchStatusActions } from "./status.ts";

/** The comment queue in Discord: cards, digests and their buttons, and what `/watch` does. */
export { authorCommentLines } from "./author-comments.ts";
export { commentLinkButton, drawOpenComment } from "./card.ts";
export { cardPresses, caseFilePress } from "./card-buttons.ts";
export {
  collapseSpaces,
  commentAuthorName,
  commentBeginning,
  commentUrl,
  describeFound,
  quoteCommentText,
} from "./comment.ts";
export { consentNotice, findKeyOnlyWatch, studioButtons } from "./consent.ts";
export { decidedNotice, undoneNotice, waitUntilSent } from "./decided.ts";
export { watchEvents } from "./events.ts";
export { noWatchNotice, watchChoice } from "./find-watch.ts";
export { askToStop, pauseWatch, resumeWatch, testWatch } from "./manage.ts";
export { alreadyDecidedNotice } from "./redraw.ts";
export { showSavedReplies } from "./saved-replies.ts";
export { offerWatchHere, setUpWatch, watchOptions } from "./set-up.ts";
export { paceOptions, pingOptions, setWatchPace, setWatchPing } from "./settings.ts";
export {
  approvalLabel,
  commentStateLine,
  describeDecider,
  describeEarlierTries,
  describeReason,
  describeStoredFailure,
  isPressedTwice,
  quoteReply,
  toActor,
} from "./state.ts";
export { showAllWatches, showWatchStatus } from "./status.ts";

export const watchActions: readonly FeatureAction<never>[] = [
  ...cardDecisionActions,
  ...moreActions,
  ...caseFileActions,
  ...reasonActions,
  ...snoozeActions,
  ...fullTextActions,
  ...cardReplyActions,
  ...digestActions,
  ...groupDecisionActions,
  ...undoGroupActions,
  ...watchStatusActions,
  ...setUpActions,
  ...pingActions,
  ...manageWatchActions,
  deleteWatchMessages,
  ...savedReplyActions,
  ...consentActions,
];

import type { FeatureAction } from "../declarations/index.ts";
import { deleteCommentActions } from "./delete.ts";
import { heldCommentActions } from "./held.ts";
import { commentListActions } from "./lists.ts";
import { moderateCommentActions } from "./moderate.ts";
import { writeCommentActions } from "./write.ts";

export { askDeleteComment } from "./delete.ts";
export { openHeldComments } from "./held.ts";
export { waitingStates } from "./held-page.ts";
export { describeDelay } from "./kept.ts";
export { openReplies, openThreads, threadListOptions } from "./lists.ts";
export { describeTooOften, moderate } from "./moderate.ts";
export { withTyped } from "./typed.ts";
export {
  changeComment,
  commentPostForm,
  offerCommentEdit,
  offerCommentReply,
  sendComment,
  sendCommentReply,
} from "./write.ts";

/** What the buttons, selects and forms about comments do. */
export const commentActions: readonly FeatureAction<never>[] = [
  ...commentListActions,
  ...writeCommentActions,
  ...deleteCommentActions,
  ...moderateCommentActions,
  ...heldCommentActions,
];

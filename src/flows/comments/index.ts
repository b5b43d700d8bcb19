import type { Action } from "../../discord/index.ts";
import { held } from "./held.ts";
import { replies, threads } from "./lists.ts";
import { moderateActions } from "./moderate.ts";
import { removeActions } from "./remove.ts";
import { sendActions } from "./write.ts";

export { findComment, videoTitles } from "./find.ts";
export { held } from "./held.ts";
export { type WaitingState, waitingStates } from "./held-page.ts";
export { openAboutChannel, replies, replyQuery, type ThreadQuery, threads } from "./lists.ts";
export { moderate } from "./moderate.ts";
export { askDelete } from "./remove.ts";
export {
  type CommentTarget,
  edit,
  editForm,
  offerEdit,
  post,
  postForm,
  reply,
  replyForm,
  targetOf,
} from "./write.ts";

/** What the flows of comments hang on their own buttons, selects and forms. */
export const commentActions: readonly Action<never>[] = [
  ...threads.actions,
  ...replies.actions,
  ...sendActions,
  ...removeActions,
  ...moderateActions,
  ...held.actions,
];

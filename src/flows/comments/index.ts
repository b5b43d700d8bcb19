import type { Action } from "../../discord/index.ts";
import { held } from "./held.ts";
import { moderateActions } from "./moderate.ts";
import { openActions } from "./open.ts";
import { removeActions } from "./remove.ts";
import { writeActions } from "./write.ts";

export { held } from "./held.ts";
export { waitingStates } from "./held-page.ts";
export { moderate, oftenLines } from "./moderate.ts";
export { openReplies, openThreads } from "./open.ts";
export { askDelete } from "./remove.ts";
export { edit, offerEdit, post, postForm, reply, replyForm, targetOf } from "./write.ts";

/** What the flows of comments hang on their own buttons, selects and forms, and on comments' cards. */
export const commentActions: readonly Action<never>[] = [
  ...openActions,
  ...writeActions,
  ...removeActions,
  ...moderateActions,
  ...held.actions,
];

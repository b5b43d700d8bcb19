/** Answers that are kept for the next time. */

export {
  createSavedReplies,
  maxReplies,
  maxReplyChars,
  maxReplyNameChars,
} from "./saved-replies.ts";

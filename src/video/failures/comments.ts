import { access, input, type KnownFailures } from "./known.ts";

const meta = "The service does not accept this comment as it is. Change its text and try again.";

/** Comments, threads and their moderation. */
export const commentFailures: KnownFailures = {
  commentsDisabled: access(
    "Comments are switched off for this video. Only its owner can allow them.",
  ),
  commentNotFound: input("That comment can't be found. Its author may have deleted it."),
  commentThreadNotFound: input("That comment can't be found. Its author may have deleted it."),
  parentCommentNotFound: input(
    "The comment to answer can't be found. Its author may have deleted it.",
  ),
  parentCommentIsPrivate: input("The comment to answer is not public, so nobody can reply to it."),
  parentIdMissing: input("Choose the comment to reply to."),
  channelOrVideoIdMissing: input("Choose the video to comment on."),
  commentTextRequired: input("The comment has no text. Write one."),
  commentTextTooLong: input("The comment is too long. Shorten it."),
  invalidCustomEmoji: input("An emoji in the comment is not one of this channel's. Take it out."),
  invalidCommentMetadata: input(meta),
  invalidCommentThreadMetadata: input(meta),
  banWithoutReject: input("An author can be hidden only while their comment is rejected."),
  "operationNotSupported comments.insert": access(
    "Nobody can reply in this thread any more.",
    "replies_not_allowed",
  ),
  "operationNotSupported comments.update": input(
    "This comment can't be changed. Delete it and write another one.",
  ),
  "operationNotSupported comments.setModerationStatus": input(
    "This comment can't be moderated that way. Choose another decision.",
  ),
  "operationNotSupported comments.list": input("These comments can't be looked up one by one."),
  "operationNotSupported commentThreads.list": input(
    "These comments can't be looked up one by one.",
  ),
  "forbidden comments.delete": access(
    "Only its author can delete a comment. To take somebody else's away, reject it.",
  ),
  "forbidden comments.update": access("Only its author can change a comment."),
  "forbidden comments.setModerationStatus": access(
    "Only the owner of the channel or the video can decide that, and only while the comment exists.",
  ),
  "forbidden comments.list": access("The linked account may not see some of these comments."),
  "forbidden commentThreads.list": access(
    "The linked account may not see some of these comments. Held ones are shown to the channel's owner alone.",
  ),
  "forbidden comments.insert": access("The linked account may not reply here."),
  "forbidden commentThreads.insert": access("The linked account may not comment on this video."),
};

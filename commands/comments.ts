import { command } from "../src/discord/index.ts";
import { audit, comments, option, review, subcommand, suggest } from "../src/features/index.ts";

const theComment = {
  required: true,
  of: "comment",
  suggest: suggest.commentsOf("video"),
} as const;

export default command({
  subcommands: {
    list: subcommand({
      method: "commentThreads.list",
      uses: ["videos.list", "channels.list"],
      // Held comments have a list of their own, and text comes without markup.
      decides: ["moderationStatus", "textFormat"],
      options: comments.threadListOptions,
      run: comments.openThreads,
    }),
    post: subcommand({
      method: "commentThreads.insert",
      uses: ["videos.list", "commentThreads.list"],
      // The video's channel. A thread without a video would be about a channel, and YouTube takes none.
      decides: ["snippet.channelId"],
      options: {
        video: option.video({
          required: true,
          covers: "snippet.videoId",
          suggest: suggest.ownVideos,
        }),
        text: option.field("commentThreads.insert", "snippet.topLevelComment.snippet.textOriginal"),
      },
      form: ({ words }, { video, text }) =>
        text === undefined ? comments.commentPostForm(video, words) : undefined,
      run: (ctx) => comments.sendComment(ctx, ctx.options.video, ctx.options.text ?? ""),
    }),
    replies: subcommand({
      method: "comments.list",
      // The comment above is read by its id and shown with its replies.
      decides: ["id", "textFormat"],
      options: { comment: option.id({ ...theComment, covers: "parentId" }) },
      run: (ctx) => comments.openReplies(ctx, ctx.options.comment),
    }),
    reply: subcommand({
      method: "comments.insert",
      uses: ["comments.list", "commentThreads.list"],
      options: {
        comment: option.id({ ...theComment, covers: "snippet.parentId" }),
        text: option.field("comments.insert", "snippet.textOriginal"),
      },
      opensWith: "comment",
      run: (ctx) => {
        const { comment, text } = ctx.options;
        if (text === undefined) return comments.offerCommentReply(ctx, comment);
        return comments.sendCommentReply(ctx, comment, text);
      },
    }),
    edit: subcommand({
      method: "comments.update",
      uses: ["comments.list"],
      options: {
        comment: option.id({ ...theComment, covers: "id" }),
        text: option.field("comments.update", "snippet.textOriginal"),
      },
      opensWith: "comment",
      run: (ctx) => {
        const { comment: id, text } = ctx.options;
        if (text === undefined) return comments.offerCommentEdit(ctx, id);
        return comments.changeComment(ctx, id, text);
      },
    }),
    delete: subcommand({
      method: "comments.delete",
      uses: ["comments.list", "commentThreads.list"],
      options: { comment: option.id({ ...theComment, covers: "id" }) },
      isRepeatable: true,
      run: (ctx) => comments.askDeleteComment(ctx, ctx.options.comment),
    }),
    moderate: subcommand({
      method: "comments.setModerationStatus",
      uses: ["comments.list", "commentThreads.list"],
      decides: ["banAuthor"],
      options: {
        comments: option.ids({
          required: true,
          of: "comment",
          covers: "id",
          suggest: suggest.commentsOf("video"),
        }),
        decision: option.choice({
          required: true,
          group: "comment_decision",
          values: ["published", "heldForReview", "rejected", "ban"],
          covers: "moderationStatus",
        }),
      },
      run: (ctx) => {
        const { comments: ids, decision } = ctx.options;
        if (decision !== "ban") return comments.moderate(ctx, { ids, status: decision });
        return comments.moderate(ctx, { ids, status: "rejected", banAuthor: true });
      },
    }),
    held: subcommand({
      rank: "moderator",
      answer: "private",
      // Reading held comments is part of moderating them, so it may use the quota that is reserved for that.
      uses: ["commentThreads.list", "videos.list", "comments.setModerationStatus"],
      options: {
        state: option.choice({ group: "moderation_status", values: comments.waitingStates }),
      },
      run: (ctx) => {
        const { state } = ctx.options;
        return comments.openHeldComments(
          ctx,
          state === undefined ? comments.waitingStates : [state],
        );
      },
    }),
    review: subcommand({
      rank: "moderator",
      answer: "private",
      isRepeatable: true,
      run: review.open,
    }),
    log: subcommand({
      isRepeatable: true,
      rank: "moderator",
      answer: "private",
      options: audit.auditLogOptions,
      run: audit.openAuditLog,
    }),
  },
  actions: [...comments.commentActions, ...review.actions, ...audit.auditLogActions],
});

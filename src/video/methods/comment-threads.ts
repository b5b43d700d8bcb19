import { commentScopes, insertFacts, readFacts } from "./facts.ts";
import { commentPages, maxIds, readPart, textFormat, writtenPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

const parts = ["id", "replies", "snippet"] as const;

export const commentThreadMethods = {
  "commentThreads.list": {
    ...readFacts,
    path: "/commentThreads",
    title: "Show comments with their first replies",
    scopes: commentScopes,
    query: {
      part: { ...readPart, enum: parts },
      id: { type: "string", about: "Threads by id", repeated: true, maxItems: maxIds },
      videoId: { type: "string", about: "Comments on this video" },
      postId: { type: "string", about: "The community post that the comments are under" },
      channelId: {
        type: "string",
        about: "Comments about the channel itself, which there are no longer",
        deprecated: true,
      },
      allThreadsRelatedToChannelId: {
        type: "string",
        about: "Comments on all videos of this channel",
      },
      moderationStatus: {
        type: "string",
        about: "Published, held or suspected ones; all but published need the owner's token",
        enum: ["published", "heldForReview", "likelySpam"],
        default: "published",
        notWith: ["id"],
        needsToken: ["heldForReview", "likelySpam"],
      },
      searchTerms: { type: "string", about: "Only comments with these words", notWith: ["id"] },
      textFormat,
      order: {
        type: "string",
        about: "Newest or most relevant first",
        enum: ["time", "relevance"],
        default: "time",
        notWith: ["id"],
      },
      ...commentPages,
    },
    filters: {
      exactlyOne: ["allThreadsRelatedToChannelId", "channelId", "id", "postId", "videoId"],
    },
    result: { kind: "list", resource: "CommentThread" },
  },
  "commentThreads.insert": {
    ...insertFacts,
    path: "/commentThreads",
    title: "Comment on a video or about a channel",
    scopes: commentScopes,
    query: { part: { ...writtenPart, enum: parts } },
    body: {
      resource: "CommentThread",
      fields: {
        "snippet.channelId": {
          type: "string",
          about: "The channel whose video it is, or the channel to comment on",
          required: true,
        },
        "snippet.videoId": {
          type: "string",
          about: "The video to comment on; without one the comment is about the channel itself",
        },
        "snippet.topLevelComment.snippet.textOriginal": {
          type: "string",
          about: "What to say",
          required: true,
        },
      },
    },
    lookup: {
      method: "commentThreads.list",
      params: { part: ["snippet"], order: "time", textFormat: "plainText", maxResults: 100 },
      from: { videoId: "snippet.videoId" },
      same: ["snippet.topLevelComment.snippet.textOriginal"],
      madeAt: "snippet.topLevelComment.snippet.publishedAt",
    },
    result: { kind: "one", resource: "CommentThread" },
  },
} as const satisfies Record<string, MethodSpec>;

import { maxIds, part, textFormat, writtenPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

/** The only one that comments take; a token with others is refused even for public ones (facts, section 3). */
const scopes = ["youtube.force-ssl"] as const;

const parts = ["id", "replies", "snippet"] as const;

export const commentThreads = {
  "commentThreads.list": {
    verb: "GET",
    path: "/commentThreads",
    title: "Show comments with their first replies",
    auth: "key-or-token",
    scopes,
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: parts },
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
      maxResults: {
        type: "integer",
        about: "Results on a page; not with id",
        min: 1,
        max: 100,
        default: 20,
        notWith: ["id"],
      },
      pageToken: {
        type: "string",
        about: "Where to go on, from the previous answer; not with id",
        notWith: ["id"],
      },
    },
    filters: {
      exactlyOne: ["allThreadsRelatedToChannelId", "channelId", "id", "postId", "videoId"],
    },
    result: { kind: "list", resource: "CommentThread" },
  },
  "commentThreads.insert": {
    verb: "POST",
    path: "/commentThreads",
    title: "Comment on a video or about a channel",
    auth: "token",
    scopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "create",
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

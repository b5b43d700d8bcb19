import { maxIds, part, textFormat, writtenPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

/** The only one that comments take; a token with others is refused even for public ones (facts, section 3). */
const scopes = ["youtube.force-ssl"] as const;

const parts = ["id", "snippet"] as const;

export const comments = {
  "comments.list": {
    verb: "GET",
    path: "/comments",
    title: "Show the replies to a comment",
    auth: "key-or-token",
    scopes,
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: parts },
      id: { type: "string", about: "Comments by id", repeated: true, maxItems: maxIds },
      parentId: { type: "string", about: "Replies to this comment" },
      textFormat,
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
    filters: { exactlyOne: ["id", "parentId"] },
    result: { kind: "list", resource: "Comment" },
  },
  "comments.insert": {
    verb: "POST",
    path: "/comments",
    title: "Reply to a comment",
    auth: "token",
    scopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "create",
    query: { part: { ...writtenPart, enum: parts } },
    body: {
      resource: "Comment",
      fields: {
        "snippet.parentId": {
          type: "string",
          about: "The comment to reply to; a reply can't be replied to",
          required: true,
        },
        "snippet.textOriginal": { type: "string", about: "What to say", required: true },
      },
    },
    lookup: {
      method: "comments.list",
      params: { part: ["snippet"], textFormat: "plainText", maxResults: 100 },
      from: { parentId: "snippet.parentId" },
      same: ["snippet.textOriginal", "snippet.parentId"],
      madeAt: "snippet.publishedAt",
    },
    result: { kind: "one", resource: "Comment" },
  },
  "comments.update": {
    verb: "PUT",
    path: "/comments",
    title: "Change your own comment",
    auth: "token",
    scopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "set",
    query: { part: { ...writtenPart, enum: parts } },
    body: {
      resource: "Comment",
      fields: {
        id: { type: "string", about: "The comment to change", required: true },
        "snippet.textOriginal": { type: "string", about: "What to say instead", required: true },
      },
    },
    result: { kind: "one", resource: "Comment" },
  },
  "comments.setModerationStatus": {
    verb: "POST",
    path: "/comments/setModerationStatus",
    title: "Publish, hold or reject comments",
    auth: "token",
    scopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "set",
    query: {
      id: {
        type: "string",
        about: "The comments, up to 50 at once",
        required: true,
        repeated: true,
        maxItems: 50,
      },
      moderationStatus: {
        type: "string",
        about: "What becomes of them; rejected can't be taken back",
        required: true,
        enum: ["heldForReview", "published", "rejected"],
      },
      banAuthor: {
        type: "boolean",
        about: "Reject everything else their authors write; only with rejected",
        needs: { moderationStatus: "rejected" },
      },
    },
  },
  "comments.delete": {
    verb: "DELETE",
    path: "/comments",
    title: "Delete your own comment",
    auth: "token",
    scopes,
    bucket: "units",
    cost: 50,
    effect: "destroy",
    retry: "delete",
    query: { id: { type: "string", about: "The comment to delete", required: true } },
  },
} as const satisfies Record<string, MethodSpec>;

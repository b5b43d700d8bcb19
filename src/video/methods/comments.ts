import {
  commentScopes,
  deleteFacts,
  insertFacts,
  readFacts,
  setFacts,
  updateFacts,
} from "./facts.ts";
import { commentPages, maxIds, readPart, textFormat, writtenPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

const parts = ["id", "snippet"] as const;

export const commentMethods = {
  "comments.list": {
    ...readFacts,
    path: "/comments",
    title: "Show the replies to a comment",
    scopes: commentScopes,
    query: {
      part: { ...readPart, enum: parts },
      id: { type: "string", about: "Comments by id", repeated: true, maxItems: maxIds },
      parentId: { type: "string", about: "Replies to this comment" },
      textFormat,
      ...commentPages,
    },
    filters: { exactlyOne: ["id", "parentId"] },
    result: { kind: "list", resource: "Comment" },
  },
  "comments.insert": {
    ...insertFacts,
    path: "/comments",
    title: "Reply to a comment",
    scopes: commentScopes,
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
    ...updateFacts,
    path: "/comments",
    title: "Change your own comment",
    scopes: commentScopes,
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
    ...setFacts,
    path: "/comments/setModerationStatus",
    title: "Publish, hold or reject comments",
    scopes: commentScopes,
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
    ...deleteFacts,
    path: "/comments",
    title: "Delete your own comment",
    scopes: commentScopes,
    query: { id: { type: "string", about: "The comment to delete", required: true } },
  },
} as const satisfies Record<string, MethodSpec>;

import type {
  CommentDecision,
  HeldComment,
  QueuedComment,
  Watch,
} from "../../../src/moderation/index.ts";

/** The current time in these tests, in milliseconds since the epoch. */
export const now = Date.UTC(2026, 10, 22, 12);
export const robin = { userId: "2".repeat(18), userName: "robin" } as const;
const source = `UC${"a".repeat(22)}`;

export const watch: Watch = {
  id: "a".repeat(16),
  channelId: "1".repeat(18),
  source,
  states: ["heldForReview"],
  paceMs: 60_000,
  digestFrom: 6,
  addedBy: robin.userId,
  addedAt: now,
};

export function comment(given: Partial<QueuedComment> = {}): QueuedComment {
  return {
    id: "UgHeld",
    videoId: "dQw4w9WgXcQ",
    text: "What a lamp!",
    likes: 0,
    authorId: `UC${"b".repeat(22)}`,
    authorName: "Posy Larkin",
    state: "heldForReview",
    publishedAt: now - 60_000,
    updatedAt: now - 60_000,
    ...given,
  };
}

export function item(given: Partial<HeldComment> = {}): HeldComment {
  return {
    id: "c".repeat(32),
    watchId: watch.id,
    source,
    comment: comment(),
    status: "open",
    revision: 1,
    seenAt: now,
    readAt: now,
    video: { title: "Three lights", thumbnailUrl: "https://i.ytimg.com/vi/x/mqdefault.jpg" },
    card: { state: "due", handle: "h".repeat(22), since: now },
    ...given,
  };
}

export function decision(kind: CommentDecision["kind"]): CommentDecision {
  return { kind, by: robin, from: "card", at: now, dueAt: now + 8_000 };
}

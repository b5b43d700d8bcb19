import type {
  AuditEntry,
  Digest,
  FeedRows,
  ModerationRows,
  QueueItem,
  Store,
} from "../../../src/store/index.ts";

const person = { userId: "333333333333333333", userName: "Kanarie" };

/** When all of it was written. */
export const writtenAt = Date.UTC(2026, 0, 31);

export const handle = "h".repeat(22);

export function itemOf(id: string, change: Partial<QueueItem> = {}): QueueItem {
  return {
    id,
    watchId: "a1",
    comment: {
      ...{ id: `comment-${id}`, videoId: "v1", text: "What a kanarie", authorName: "Ada" },
      ...{ authorId: "UC-ada", likes: 0, publishedAt: writtenAt, updatedAt: writtenAt },
      state: "heldForReview",
    },
    video: { title: "Birds" },
    ...{ seenAt: writtenAt, readAt: writtenAt, status: "open", revision: 0 },
    card: { state: "due", handle, since: writtenAt },
    ...change,
  };
}

export function entryOf(id: string, change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    ...{ id, at: writtenAt, by: person, act: "approved", from: "card", answer: "done" },
    ...{ source: "UC1", commentId: "c1", authorId: "UC-ada", authorName: "Ada", text: "Kanarie" },
    ...change,
  };
}

export function digestOf(id: string, itemIds: readonly string[]): Digest {
  const card = { state: "posted", handle, since: writtenAt } as const;
  return { id, watchId: "a1", itemIds, revision: 0, card, addedAt: writtenAt };
}

/** One of every kind, by its id. */
export const samples = {
  moderation: {
    watches: {
      a1: {
        ...{ id: "a1", channelId: "444444444444444444", source: "UC1", states: ["heldForReview"] },
        ...{ paceMs: 60_000, digestFrom: 5, addedBy: person.userId, addedAt: writtenAt },
      },
    },
    progress: { a1: { idlePolls: 2, troubles: {}, polledAt: writtenAt } },
    items: { "a1:i1": itemOf("i1") },
    digests: { "a1:d1": digestOf("d1", ["i1"]) },
    authors: { e1: { seen: 2, approved: 1, rejected: 0, lastAt: writtenAt } },
    audit: { "1-a": entryOf("1-a") },
    rules: {
      all: {
        rules: [
          {
            ...{ id: "f1", name: "Birds", does: "suggest", decision: "hold", isOn: true },
            test: { kind: "words", words: ["kanarie"], isFolded: true },
            ...{ addedBy: person.userId, addedAt: writtenAt },
          },
        ],
        spared: { members: false, authors: [] },
        dailyCap: 10,
      },
    },
    replies: { b1: { id: "b1", name: "Thanks", text: "Thank you, kanarie" } },
  },
  feeds: {
    feeds: {
      c1: {
        ...{ id: "c1", source: "UC2", title: "Birds", titleReadAt: writtenAt, uploads: "UU2" },
        ...{ places: {}, addedBy: person.userId, addedAt: writtenAt },
      },
    },
    progress: { c1: { failures: 1 } },
    announcements: { "c1:v1": { id: "v1", feedId: "c1", videoId: "v", state: "done", at: 1 } },
  },
} as const satisfies {
  readonly moderation: Samples<ModerationRows>;
  readonly feeds: Samples<FeedRows>;
};

type Samples<Rows> = {
  readonly [Kind in keyof Rows]: Rows[Kind] extends {
    list(guildId: string): Promise<readonly (infer T)[]>;
  }
    ? Readonly<Record<string, T>>
    : never;
};

interface AnyRows {
  update(guildId: string, id: string, make: () => unknown): Promise<unknown>;
}

/** Puts one record of every kind. */
export async function putSamples(store: Store, guildId: string): Promise<void> {
  for (const room of ["moderation", "feeds"] as const) {
    for (const [kind, records] of Object.entries(samples[room])) {
      // Each sample is of its kind, as its type holds.
      const rows = (store[room] as unknown as Record<string, AnyRows>)[kind];
      for (const [id, value] of Object.entries(records))
        await rows?.update(guildId, id, () => value);
    }
  }
}

/** The samples as a guild's export has them. */
export function exportedSamples() {
  const list = (kinds: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
    Object.fromEntries(
      Object.entries(kinds).map(([kind, records]) => [
        kind,
        Object.entries(records).map(([id, value]) => ({ id, value })),
      ]),
    );
  return { moderation: list(samples.moderation), feeds: list(samples.feeds) };
}

/** As the export of a guild without any. */
export function noSamples() {
  const none = (kinds: object) => Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  return { moderation: none(samples.moderation), feeds: none(samples.feeds) };
}

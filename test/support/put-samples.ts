import { createAnnouncementRecords } from "../../src/announcements/announcement-records.ts";
import { createFeedRecords } from "../../src/announcements/feed-records.ts";
import type { Feed } from "../../src/announcements/index.ts";
import type { Database } from "../../src/database/index.ts";
import type { CommentRule, HeldComment, Watch } from "../../src/moderation/index.ts";
import { createModerationRecords } from "../../src/moderation/records/index.ts";

const person = { userId: "333333333333333333", userName: "Kanarie" };

/** When all the samples were written. */
export const writtenAt = Date.UTC(2026, 0, 31);

export const handle = "h".repeat(22);

const watch: Watch = {
  id: "a1",
  channelId: "444444444444444444",
  source: "UC1",
  states: ["heldForReview"],
  paceMs: 60_000,
  digestFrom: 5,
  addedBy: person.userId,
  addedAt: writtenAt,
  paused: { at: writtenAt, by: person.userId },
};

const held: HeldComment = {
  id: "i1",
  watchId: watch.id,
  source: watch.source,
  comment: {
    id: "comment-i1",
    videoId: "v1",
    text: "What a kanarie",
    authorName: "Ada",
    authorId: "UC-ada",
    likes: 0,
    publishedAt: writtenAt,
    updatedAt: writtenAt,
    state: "heldForReview",
  },
  video: { title: "Birds" },
  seenAt: writtenAt,
  readAt: writtenAt,
  status: "open",
  revision: 0,
  card: { state: "posted", handle, since: writtenAt },
};

const rule: CommentRule = {
  id: "f1",
  name: "Birds",
  does: "suggest",
  decision: "hold",
  isOn: true,
  test: { kind: "words", words: ["kanarie"], isFolded: true },
  addedBy: person.userId,
  addedAt: writtenAt,
};

const feed: Feed = {
  id: "c1",
  source: "UC2",
  title: "Birds",
  titleReadAt: writtenAt,
  uploads: "UU2",
  places: {},
  addedBy: person.userId,
  addedAt: writtenAt,
};

/** Stores one record of every kind that moderation and feeds keep. None of them makes the bot do anything by itself. */
export async function putSamples(database: Database, guildId: string): Promise<void> {
  const records = createModerationRecords(database, { put: async () => undefined });
  await records.watches.change(guildId, watch.id, () => watch);
  await records.watches.changeProgress(guildId, watch.id, (stored) => ({
    ...stored,
    idlePolls: 2,
    polledAt: writtenAt,
  }));
  await records.comments.addAll(guildId, [held]);
  await records.digests.change(guildId, { watchId: watch.id, id: "d1" }, () => ({
    id: "d1",
    watchId: watch.id,
    itemIds: [held.id],
    revision: 0,
    addedAt: writtenAt,
    card: { state: "posted", handle, since: writtenAt },
  }));
  await records.authors.add(guildId, "UC-ada", { seen: 2, approved: 1 });
  await records.audit.add(guildId, {
    id: `${writtenAt}-0000000a`,
    at: writtenAt,
    by: person,
    act: "approved",
    from: "card",
    answer: "done",
    source: watch.source,
    commentId: "c1",
    authorId: "UC-ada",
    authorName: "Ada",
    text: "Kanarie",
  });
  await records.notes.add(guildId, {
    id: `${writtenAt}-0000000b`,
    authorId: "UC-ada",
    text: "Sings like a kanarie",
    by: person,
    at: writtenAt,
  });
  await records.audit.add(guildId, {
    id: `${writtenAt - 1}-0000000b`,
    at: writtenAt - 1,
    by: person,
    act: "videos.update",
    from: "command",
    answer: "done",
    source: watch.source,
    commentId: "",
    videoId: "v",
    text: "A video of a kanarie",
  });
  await records.rules.change(guildId, () => ({
    rules: [rule],
    spared: { members: false, authors: [] },
    dailyCap: 10,
  }));
  await records.lists.change(guildId, ["e1"], () => ({
    id: "e1",
    name: "Birds of others",
    from: { url: "https://lists.example/birds.txt" },
    version: "1",
    counts: { words: 1, links: 0, authors: 0 },
    skipped: 0,
    checkedAt: writtenAt,
    changedAt: writtenAt,
    addedBy: person.userId,
    addedAt: writtenAt,
    ruleId: "f2",
  }));
  await records.lists.putContent(guildId, "e1", { words: ["kanarie"], links: [], authors: [] });
  await records.shares.put(
    guildId,
    { id: `a${guildId}`, name: "Our birds", addedBy: person.userId, addedAt: writtenAt },
    `code of ${guildId}`,
  );
  await records.replies.put(guildId, { id: "b1", name: "Thanks", text: "Thank you, kanarie" });
  const ref = { guildId, feedId: feed.id };
  await createFeedRecords(database).changeFeed(ref, () => feed);
  await createFeedRecords(database).changeProgress(ref, () => ({ failures: 1 }));
  await createAnnouncementRecords(database).change(ref, "v", () => ({
    feedId: feed.id,
    videoId: "v",
    state: "done",
    at: writtenAt,
  }));
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Feed } from "../../../../src/announcements/index.ts";
import type {
  CardFacts,
  DigestFacts,
  HeldComment,
  HeldCommentStatus,
  Watch,
} from "../../../../src/moderation/index.ts";

import { hostile } from "../../../support/hostile.ts";
import { formattedTexts, liveIn } from "../../../support/live-text.ts";
import { ownRoutes } from "../../../support/raw-dispatch.ts";
import { type MessagesRig, newHandle, openMessagesRig } from "./rig.ts";

const source = `UC${"a".repeat(22)}`;
const userId = "2".repeat(18);
const at = Date.now() - 3_600_000;
const statuses: readonly HeldCommentStatus[] = ["open", "pending", "rejected", "later", "gone"];

const watch: Watch = {
  id: "a".repeat(16),
  channelId: "1",
  source,
  states: ["heldForReview"],
  paceMs: 60_000,
  digestFrom: 5,
  addedBy: userId,
  addedAt: at,
};

/** A held comment with this text wherever it can hold other people's words. */
function itemWith(text: string, place: number): HeldComment {
  const by = { userId, userName: text };
  const status = statuses[place % statuses.length] ?? "open";
  const isDecided = status === "pending" || status === "rejected";
  return {
    id: `${place}`.padStart(32, "0"),
    watchId: watch.id,
    seenAt: at,
    readAt: at,
    revision: 1,
    source,
    comment: {
      id: `Ug${"x".repeat(22)}${place}`,
      parentId: "Ugparent",
      videoId: "dQw4w9WgXcQ",
      text,
      authorId: source,
      authorName: text,
      imageUrl: text,
      authorAvatar: text,
      likes: 3,
      publishedAt: at,
      updatedAt: at + 1,
      state: "heldForReview",
    },
    video: { title: text, thumbnailUrl: text },
    parent: { authorName: text, text },
    status,
    ...(isDecided && { decision: { kind: "reject", by, from: "card", at, dueAt: at } }),
    ...(status === "later" && { later: { by, until: at } }),
    undone: { by, at },
    failure: { code: text, kind: "approve", at },
    replied: { by, at },
    advice: { ruleId: "r", ruleName: text, kind: "reject" },
    card: { state: "due", handle: newHandle(), since: at },
  };
}

function cardWith(text: string, place: number): Omit<CardFacts, "guildId"> {
  const history = { seen: 5, approved: 2, rejected: 1, notes: 0, lastAt: at };
  return { watch, item: itemWith(text, place), history };
}

/** The most comments that a digest holds. */
const perDigest = 25;

function digestWith(texts: readonly string[]): Omit<DigestFacts, "guildId"> {
  const items = texts.map((text, place) => ({ ...itemWith(text, place), status: "open" as const }));
  const card = { state: "due", handle: newHandle(), since: at } as const;
  const itemIds = items.map(({ id }) => id);
  const digest = { id: "d".repeat(32), watchId: watch.id, itemIds, revision: 1, card };
  return { watch, digest: { ...digest, addedAt: at }, items };
}

function announcementWith(text: string) {
  const place = { channelId: "1", template: `${text} {channel} {title}` };
  const feed: Feed = {
    id: "f".repeat(16),
    source,
    title: text,
    titleReadAt: at,
    uploads: "UUx",
    places: { upload: place },
    addedBy: userId,
    addedAt: at,
  };
  const common = { id: "dQw4w9WgXcQ", kind: "upload", publishedAt: at } as const;
  const video = { ...common, title: text, channelTitle: text, seconds: 70 };
  const card = { state: "due", handle: newHandle(), since: at } as const;
  return { feed, announcement: { id: "a", feedId: feed.id, videoId: common.id, card, at }, video };
}

const digests = Array.from({ length: Math.ceil(hostile.length / perDigest) }, (_, page) =>
  digestWith(hostile.slice(page * perDigest, (page + 1) * perDigest)),
);
const innocent = statuses.map((_, place) => cardWith("Hello", place));

describe("hostile text in the bot's own cards", () => {
  let rig: MessagesRig;
  beforeAll(async () => {
    rig = await openMessagesRig(await ownRoutes());
    rig.platform.limitRequests(false);
  });
  afterAll(() => rig.close());

  /** Which formatting and links have an effect in messages with those facts. */
  async function aliveIn(name: string, all: readonly object[]) {
    const from = rig.exchanges.length;
    for (const facts of all) {
      const guildId = rig.platform.guildId;
      const message = rig.message({ name });
      await rig.messages.post({ ...message, facts: { guildId, ...facts } });
    }
    const sent = rig.exchanges.slice(from).filter(({ method }) => method === "POST");
    expect(sent).toHaveLength(all.length);
    const calls = sent.filter(({ requestBody }) => {
      const { allowed_mentions } = Object(requestBody);
      return JSON.stringify(allowed_mentions) !== '{"parse":[]}';
    });
    expect(calls).toEqual([]);
    const found = sent
      .flatMap(({ requestBody }) => formattedTexts(requestBody))
      .map((text) => liveIn(text));
    return {
      kinds: new Set(found.flatMap(({ kinds }) => [...kinds])),
      hosts: new Set(found.flatMap(({ links }) => links.map((link) => new URL(link).host))),
    };
  }

  it.each([
    ["held-card", innocent, hostile.map(cardWith)],
    ["held-digest", [digestWith(Array(25).fill("Hello"))], digests],
    // Titles by themselves are tested in test/features/announcements; here every fifth of them is combined with the
    // template.
    [
      "announcement",
      // Nothing is known of a game here, so the usual sentence stands there, with the channel in bold.
      [announcementWith("Hello"), announcementWith("{game}")],
      hostile.filter((_, place) => place % 5 === 0).map(announcementWith),
    ],
  ] as const)("comes alive no more than a harmless one in %s", async (name, harmless, all) => {
    const before = await aliveIn(name, harmless);
    const after = await aliveIn(name, all);

    expect([...after.kinds].filter((kind) => !before.kinds.has(kind))).toEqual([]);
    expect([...after.hosts].filter((host) => !before.hosts.has(host))).toEqual([]);
  });

  it("is valid by the platform's specification", async () => {
    expect(await rig.violations()).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { Database } from "../../../src/database/index.ts";
import { ServiceError } from "../../../src/errors.ts";
import type { CardFacts } from "../../../src/moderation/index.ts";
import { createTitleCache } from "../../../src/moderation/poll/poll.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import type { RecordedMessage } from "../support/recorded-messages.ts";
import { ann, firstRef, guildId, hour, minute, openProcess, openRig } from "../support/rig.ts";

const day = 24 * hour;

function itemOn({ message }: RecordedMessage): CardFacts["item"] {
  return (message.facts as CardFacts).item;
}

function textsOn(messages: readonly RecordedMessage[]): readonly string[] {
  return messages.map((one) => itemOn(one).comment.text);
}

describe("a watch", () => {
  it("shows what waits, with the video and who wrote it", async () => {
    const rig = await openRig();
    rig.hold("Is this thing on?", { author: "Milo Vane" });

    await rig.process().watch();

    const [card] = rig.discord.of("held-card");
    expect(rig.discord.messages).toHaveLength(1);
    expect(card?.message.facts).toMatchObject({
      item: {
        comment: { text: "Is this thing on?", authorName: "Milo Vane", state: "heldForReview" },
        video: { title: expect.any(String), thumbnailUrl: expect.stringContaining("http") },
        status: "open",
      },
      history: { seen: 0, approved: 0, rejected: 0 },
    });
  });

  it("shows a comment once, however often it is polled", async () => {
    const rig = await openRig();
    rig.hold("Once");
    await rig.process().watch();

    await rig.clock.pass(2 * hour);

    expect(rig.asked.length).toBeGreaterThan(40);
    expect(rig.discord.calls).toMatchObject({ post: 1, edit: 0 });
  });

  it("shows what comes later within one pace", async () => {
    const rig = await openRig();
    await rig.process().watch();
    await rig.clock.pass(5 * minute);

    rig.hold("Later");
    await rig.clock.pass(70_000);

    expect(textsOn(rig.discord.messages)).toEqual(["Later"]);
  });

  it("reads every page at first, the oldest on top", async () => {
    const rig = await openRig();
    for (let n = 0; n < 230; n += 1) {
      rig.hold(`Held ${n}`);
      await rig.clock.pass(1_000);
    }

    await rig.process().watch({ digestFrom: 0 });
    await rig.clock.pass(10 * minute);

    const texts = textsOn(rig.discord.messages);
    expect(texts).toHaveLength(230);
    expect([texts[0], texts.at(-1)]).toEqual(["Held 0", "Held 229"]);
  });

  it("reads on while pages bring something new", async () => {
    const { rig, watch } = await openProcess();
    await watch({ digestFrom: 0 });
    await rig.clock.pass(5 * minute);

    for (let n = 0; n < 150; n += 1) rig.hold(`Flood ${n}`);
    await rig.clock.pass(3 * minute);

    expect(new Set(textsOn(rig.discord.messages)).size).toBe(150);
  });

  it("shows a thread that is in two lists once for each of its comments that waits", async () => {
    const rig = await openRig();
    const top = rig.hold("Top waits");
    rig.hold("Reply is spam", { parentId: top, status: "likelySpam" });

    await rig.process().watch();
    await rig.clock.pass(10 * minute);

    expect(textsOn(rig.discord.messages).toSorted()).toEqual(["Reply is spam", "Top waits"]);
  });

  it("shows a reply that waits in a published thread, and what it answers", async () => {
    const rig = await openRig();
    const top = rig.hold("What a video", { status: "published", author: "Asker" });
    rig.hold("Buy my things", { parentId: top });

    await rig.process().watch();

    const [card] = rig.discord.messages;
    expect(card && itemOn(card)).toMatchObject({
      comment: { text: "Buy my things", parentId: top },
      parent: { text: "What a video", authorName: "Asker" },
    });
    expect(rig.discord.messages).toHaveLength(1);
  });

  it("finds a reply that does not come along with its thread", async () => {
    const rig = await openRig();
    const top = rig.hold("Long thread", { status: "published" });
    rig.hold("Deep down", { parentId: top });
    await rig.clock.pass(1_000);
    for (let n = 0; n < 8; n += 1) rig.hold(`Reply ${n}`, { parentId: top, status: "published" });

    await rig.process().watch();

    expect(textsOn(rig.discord.messages)).toEqual(["Deep down"]);
  });

  it("says that a comment was approved on YouTube", async () => {
    const { rig, watch } = await openProcess();
    const id = rig.hold("Decided elsewhere");
    await watch();
    await decideOnPlatform(rig, id, "published");

    await rig.clock.pass(6 * minute);

    const [card] = rig.discord.messages;
    expect(card && itemOn(card)).toMatchObject({ status: "elsewhere", revision: 2 });
    expect(rig.discord.calls.edit).toBe(1);
  });

  it("says that its author deleted it", async () => {
    const rig = await openRig();
    const id = rig.hold("Regretted");
    await rig.process().watch();
    rig.video.withdrawComment(id);

    await rig.clock.pass(6 * minute);

    expect(rig.discord.messages.map((one) => itemOn(one).status)).toEqual(["gone"]);
  });

  it("brings back what was approved and then changed", async () => {
    const { rig, server, watch } = await openProcess();
    const id = rig.hold("Harmless");
    await watch();
    const ref = await firstRef(rig);
    await server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    await rig.clock.pass(5 * minute);
    const before = await server.queue.item(ref);
    const [standing] = rig.discord.messages;

    await editAndHold(rig, id, "Harmful");
    await rig.clock.pass(6 * minute);

    expect(before?.status).toBe("approved");
    const after = await server.queue.item(ref);
    expect(after).toMatchObject({ status: "open", comment: { text: "Harmful" } });
    expect(rig.discord.messages.map(({ message }) => message.handle)).toEqual([after?.card.handle]);
    expect(after?.card.handle).not.toBe(standing?.message.handle);
  });

  it("shows of published comments the new ones that match, and none of the channel's own", async () => {
    const rig = await openRig();
    rig.hold("Old: buy gold", { status: "published" });
    await rig.clock.pass(hour);
    await rig.process().watch({ states: ["published"], match: ["buy", "/v[i1]agra/"] });

    rig.hold("Buy gold", { status: "published" });
    rig.hold("I would never", { status: "published" });
    rig.hold("V1agra here", { status: "published" });
    await rig.clock.pass(3 * minute);

    expect(textsOn(rig.discord.messages).toSorted()).toEqual(["Buy gold", "V1agra here"]);
    expect(rig.discord.messages.map((one) => itemOn(one).comment.state)).toEqual([
      "published",
      "published",
    ]);
  });

  it("does not bring back as new what was approved or answered elsewhere", async () => {
    const { rig, server, watch } = await openProcess();
    const { source } = await watch({ states: ["published"] });
    const approved = rig.hold("Approved by a command", { status: "heldForReview" });
    const parentId = rig.hold("Answered on YouTube", { status: "published" });
    await answerOnPlatform(rig, parentId);
    rig.hold("Still new", { status: "published" });

    const direct = { commentId: approved, kind: "approve", by: ann, from: "command" } as const;
    await server.queue.recordDirectDecisions([{ ...direct, answer: "done", source }]);
    await decideOnPlatform(rig, approved, "published");
    await rig.clock.pass(3 * minute);

    expect(textsOn(rig.discord.messages)).toEqual(["Still new"]);
  });

  it("moves nothing on when a poll fails half-way", async () => {
    const rig = await openRig();
    for (let n = 0; n < 120; n += 1) rig.hold(`Held ${n}`);
    rig.video.faults.add({ kind: "answer", status: 400, path: /pageToken/, times: 1 });

    const { id } = await rig.process().watch({ digestFrom: 0 });
    const failed = await rig.records.watches.progress(guildId, id);
    const written = (await rig.items(id)).length;
    await rig.clock.pass(10 * minute);

    expect(failed).toMatchObject({ spent: { units: 2 } });
    expect(failed).not.toHaveProperty("polledAt");
    expect(written).toBe(0);
    expect(new Set(textsOn(rig.discord.messages)).size).toBe(120);
  });

  it("loses nothing when the store fails between two writes", async () => {
    const rig = await openRig();
    for (let n = 0; n < 8; n += 1) rig.hold(`Held ${n}`);
    const failing = failingNow(rig.database, [4, 9, 15, 22, 30, 41]);

    await rig.process({ database: failing }).watch({ digestFrom: 0 });
    await rig.clock.pass(20 * minute);

    expect(rig.warnings.length).toBeGreaterThan(0);
    expect(textsOn(rig.discord.messages).toSorted()).toEqual(
      Array.from({ length: 8 }, (_, n) => `Held ${n}`),
    );
  });

  it("notes now and then that a comment was shown, so that its text is kept", async () => {
    const rig = await openRig();
    rig.hold("Long wait");
    await rig.process().watch({ paceMs: hour / 2 });
    const [before] = await rig.items();

    await rig.clock.pass(1.1 * day);

    const [after] = await rig.items();
    expect((after?.readAt ?? 0) - (before?.readAt ?? 0)).toBeGreaterThan(day / 2);
    expect(after?.revision).toBe(before?.revision);
  });
});

type Rig = Awaited<ReturnType<typeof openRig>>;

async function decideOnPlatform(rig: Rig, id: string, moderationStatus: string): Promise<void> {
  const query = new URLSearchParams({ id, moderationStatus });
  await fetch(`${rig.video.url}/comments/setModerationStatus?${query}`, {
    method: "POST",
    headers: { authorization: "Bearer owner-token" },
  });
}

/** Edits the comment as its author would, and holds it as YouTube's filter would. */
async function editAndHold(rig: Rig, id: string, textOriginal: string): Promise<void> {
  await rig.clock.pass(minute);
  await rig.editComment(id, textOriginal);
  await decideOnPlatform(rig, id, "heldForReview");
}

async function answerOnPlatform(rig: Rig, parentId: string): Promise<void> {
  await fetch(`${rig.video.url}/comments?part=snippet`, {
    method: "POST",
    headers: { authorization: "Bearer owner-token", "content-type": "application/json" },
    body: JSON.stringify({ snippet: { parentId, textOriginal: "Thanks!" } }),
  });
}

/** A database in which the transactions with these numbers fail. */
function failingNow(database: Database, at: readonly number[]): Database {
  let count = 0;
  return {
    ...database,
    transaction: async (work) => {
      count += 1;
      if (!at.includes(count)) return database.transaction(work);
      throw new ServiceError("the database failed", { code: "store_unavailable" });
    },
  };
}

/** A client with one server's consent, which sees its own titles of videos. */
function clientOf(server: string) {
  const asked: unknown[] = [];
  const call = async (_: string, { id }: { readonly id: readonly string[] }) => {
    asked.push(...id);
    return { items: id.map((one) => ({ id: one, snippet: { title: `${one} of ${server}` } })) };
  };
  return { client: { call } as unknown as VideoClient, asked };
}

const { signal } = new AbortController();

it("shows no server what another one's consent has shown of the same channel", async () => {
  const titles = createTitleCache(() => 0);
  const asked = { source: "UC1", videoIds: ["v1"], signal };
  await titles(clientOf("A").client, { ...asked, guildId: "1" });

  const shown = await titles(clientOf("B").client, { ...asked, guildId: "2" });

  expect(shown.get("v1")).toEqual({ title: "v1 of B" });
});

it("reads once what a server was notified of", async () => {
  const titles = createTitleCache(() => 0);
  const { client, asked } = clientOf("A");
  const options = { guildId: "1", source: "UC1", videoIds: ["v1"], signal };

  await titles(client, options);
  await titles(client, options);

  expect(asked).toEqual(["v1"]);
});

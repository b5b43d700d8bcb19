import { describe, expect, it, onTestFinished } from "vitest";
import { sql } from "../../../src/database/index.ts";
import type { DecideRequest, Digest, ItemRef } from "../../../src/moderation/index.ts";
import type { SeenRequest } from "../../../src/sandbox/video/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { itemsIn } from "../support/rig.ts";
import { openPlace, type Place } from "./place.ts";
import { putWatch } from "./services.ts";

const ann = { userId: "300000000000000001", userName: "Ann" };
const second = 1_000;
const minute = 60 * second;

async function opened(): Promise<Place> {
  const place = await openPlace({ random: seeded(seed) });
  onTestFinished(() => place.close());
  return place;
}

/** A watch with that many comments in its queue, all of them shown. */
async function filled(place: Place, count: number) {
  const { database, video, clock } = place;
  for (let n = 0; n < count; n += 1) {
    video.addComment({
      text: `Waiting ${n}`,
      status: "heldForReview",
      author: `Visitor ${n % 30}`,
    });
  }
  const watch = await putWatch(place);
  await clock.pass(5 * minute);
  const items = await itemsIn(database, watch.id);
  return {
    watch,
    items,
    refs: items.map(({ id }): ItemRef => ({ watchId: watch.id, itemId: id })),
  };
}

interface Call {
  readonly kind: string;
  readonly ids: readonly string[];
}

function callsOf(asked: readonly SeenRequest[]): readonly Call[] {
  return asked
    .filter(({ path }) => path.endsWith("/comments/setModerationStatus"))
    .map(({ query }) => ({
      kind: query.get("moderationStatus") ?? "",
      ids: (query.get("id") ?? "").split(","),
    }));
}

describe("decisions by many", () => {
  it("makes at most 20 calls a kind of 1,000 decisions", async () => {
    const place = await opened();
    const process = place.start();
    const { refs, watch } = await filled(place, 1_000);
    const { queue } = process.moderation.of(place.guildId);

    // People decide whole digests of 25, one every two seconds.
    const rows = await place.database.db.selectFrom("digests").select("data").execute();
    const digests = rows.map(({ data }) => JSON.parse(data) as Digest);
    const whole = digests.filter(({ itemIds }) => itemIds.length === 25).slice(0, 40);
    expect(whole).toHaveLength(40);
    for (const [n, { itemIds }] of whole.entries()) {
      const kind = n % 2 === 0 ? "approve" : "reject";
      const items = itemIds.map((itemId) => ({ watchId: watch.id, itemId }));
      const decided = await process.ask(queue.decide({ items, kind, by: ann, from: "digest" }));
      expect(decided?.every(({ state }) => state === "pending")).toBe(true);
      await place.clock.pass(2 * second);
    }
    await place.clock.pass(minute);

    const calls = callsOf(place.asked);
    const approvals = calls.filter(({ kind }) => kind === "published");
    const rejections = calls.filter(({ kind }) => kind === "rejected");
    expect(approvals.length).toBeLessThanOrEqual(20);
    expect(rejections.length).toBeLessThanOrEqual(20);
    expect(new Set(approvals.flatMap(({ ids }) => ids)).size).toBe(500);
    expect(new Set(rejections.flatMap(({ ids }) => ids)).size).toBe(500);
    const undecided = (await itemsIn(place.database)).filter(({ status }) => status === "open");
    expect(undecided).toHaveLength(refs.length - 1_000);
  });

  it("makes one call of 50 who press at once on two processes, and tells 49 who was first", async () => {
    const place = await opened();
    const processes = [place.start(), place.start()] as const;
    const { refs } = await filled(place, 1);
    const [ref] = refs;
    if (ref === undefined) throw new Error("the queue is empty");
    const press = (n: number): DecideRequest => ({
      items: [ref],
      kind: n % 3 === 0 ? "reject" : "approve",
      by: { userId: `30000000000000${1_000 + n}`, userName: `Person ${n}` },
      from: "card",
    });

    const pressed = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const { queue } = processes[n % 2 === 0 ? 0 : 1].moderation.of(place.guildId);
        return { n, decided: (await queue.decide(press(n)))[0] };
      }),
    );
    await place.clock.pass(minute);

    const firsts = pressed.filter(({ decided }) => decided?.state === "pending");
    expect(firsts).toHaveLength(1);
    const first = press(firsts[0]?.n ?? -1);
    for (const { decided } of pressed) {
      expect(decided?.item?.decision).toMatchObject({ by: first.by, kind: first.kind });
    }
    expect(callsOf(place.asked)).toEqual([
      { kind: first.kind === "reject" ? "rejected" : "published", ids: [expect.any(String)] },
    ]);
  });
});

describe("a server that is let go", () => {
  it("leaves nothing behind, however much is under way", async () => {
    const place = await opened();
    const { database, guildId, clock } = place;
    const process = place.start();
    const { refs } = await filled(place, 60);
    const { queue } = process.moderation.of(place.guildId);
    expect(await process.ask(process.moderation.load())).toEqual({
      waiting: refs.length,
      running: 0,
    });
    await process.ask(queue.decide({ items: refs, kind: "approve", by: ann, from: "digest" }));
    await clock.pass(2 * second);
    expect(await process.ask(process.moderation.load())).toEqual({
      waiting: 0,
      running: refs.length,
    });
    place.video.addComment({ text: "One more", status: "heldForReview" });
    const polling = clock.pass(7 * second);

    process.moderation.forget(guildId);
    const serverId = await database.servers.need(guildId);
    await database.servers.remove({ table: "servers", serverId });
    await polling;
    await clock.pass(10 * minute);

    expect(await recordsOf(place)).toEqual([]);
    expect(await process.ask(process.moderation.load())).toEqual({ waiting: 0, running: 0 });
  });
});

async function recordsOf({ database }: Place): Promise<readonly string[]> {
  const tables = ["servers", "watches", "held_comments", "digests", "authors", "audit_log", "jobs"];
  const left = await Promise.all(
    tables.map(async (name) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(name)}`.execute(database.db);
      return `${name} ${rows[0]?.count}`;
    }),
  );
  return left.filter((line) => !line.endsWith(" 0"));
}

import { describe, expect, it, onTestFinished } from "vitest";
import { createTakers } from "../../../src/moderation/pace/index.ts";
import { openStore, type Watch, type WatchProgress } from "../../../src/store/index.ts";

const guildId = "1".repeat(18);
const hour = 3_600_000;

async function opened() {
  const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];
  const store = await openStore({ url: "sqlite::memory:", keys });
  onTestFinished(store.close);
  let time = 0;
  const clock = { now: () => time, after: () => () => {} };
  const { watches, progress } = store.moderation;
  return {
    takers: createTakers({ store, clock }),
    put: async (id: string, change: Partial<Watch>, troubles: WatchProgress["troubles"] = {}) => {
      const watch: Watch = {
        ...{ id, channelId: "2".repeat(18), source: "UC", states: ["heldForReview"] },
        ...{ paceMs: 60_000, digestFrom: 5, addedBy: "3".repeat(18), addedAt: 0 },
        ...change,
      };
      await watches.update(guildId, id, () => watch);
      await progress.update(guildId, id, () => ({ idlePolls: 0, troubles }));
    },
    at: (ms: number) => {
      time = ms;
    },
  };
}

describe("takers", () => {
  it("are the watches that poll, with what a poll of theirs costs", async () => {
    const { takers, put } = await opened();
    await put("a1", {});
    await put("a2", { states: ["heldForReview", "likelySpam"], paceMs: 30_000 });
    await put("a3", { paused: { at: 0, by: "3".repeat(18) } });

    expect((await takers.all()).toSorted((a, b) => a.cost - b.cost)).toEqual([
      { guildId, paceMs: 60_000, cost: 1 },
      { guildId, paceMs: 30_000, cost: 2 },
    ]);
  });

  it("leave out who has not been able to poll for half an hour", async () => {
    const { takers, put, at } = await opened();
    await put("a1", {});
    await put("a2", {}, { link_broken: { since: 0, isTold: true } });
    await put("a3", {}, { service_failing: { since: 0, isTold: true } });
    const atFirst = await takers.all();

    at(hour);

    expect([atFirst.length, (await takers.all()).length]).toEqual([3, 2]);
  });

  it("are read anew after a minute, or when one was changed", async () => {
    const { takers, put, at } = await opened();
    const counts = [(await takers.all()).length];
    await put("a1", {});
    counts.push((await takers.all()).length);
    takers.renew();
    counts.push((await takers.all()).length);
    await put("a2", {});
    at(61_000);
    counts.push((await takers.all()).length);

    expect(counts).toEqual([0, 0, 1, 2]);
  });
});

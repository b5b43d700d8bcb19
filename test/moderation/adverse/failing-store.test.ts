import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors.ts";
import type { Digest } from "../../../src/moderation/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { behind } from "../support/database-between.ts";
import { ann, channelId, minute, openRig, putWatch } from "../support/rig.ts";

const second = 1_000;

function unavailable(): ServiceError {
  return new ServiceError("the store is away", { code: "store_unavailable" });
}

describe("a store that fails at random for half a minute", () => {
  it.each([0, 1, 2, 3])("loses nothing, and shows and decides nothing twice (%i)", async (more) => {
    const random = seeded(seed + more);
    const rig = await openRig();
    let isFailing = false;
    const fault = (what: string) => {
      if (!isFailing || random() >= 0.3) return;
      if (/^\s*select/u.test(what)) return;
      throw unavailable();
    };
    const wire = { before: fault, after: fault };
    const { server } = rig.process({ database: behind(rig.database, rig.clock, wire) });
    const setting = { channelId, source: rig.video.ownChannelId, paceMs: minute };
    const states = ["heldForReview"] as const;
    const watch = await putWatch(server, { ...setting, states, digestFrom: 6 });
    for (let n = 0; n < 10; n += 1) rig.hold(`Before ${n}`);
    await rig.clock.pass(2 * minute);

    isFailing = true;
    const pressed = (await rig.items()).map(({ id }) => ({ watchId: watch.id, itemId: id }));
    const acknowledged = new Map<string, string>();
    for (let n = 0; n < 30; n += 1) {
      if (n % 3 === 0) rig.hold(`Meanwhile ${n}`);
      const ref = pressed[n % pressed.length];
      const kind = random() < 0.5 ? "approve" : "reject";
      if (ref !== undefined) {
        const request = { items: [ref], kind, by: ann, from: "card" } as const;
        const [outcome] = await server.queue.decide(request).catch(() => []);
        if (outcome?.state === "pending") acknowledged.set(ref.itemId, kind);
      }
      await rig.clock.pass(second);
    }
    isFailing = false;
    await rig.clock.pass(30 * minute);
    rig.hold("After");
    await rig.clock.pass(30 * minute);

    const items = await rig.items();
    expect(items, `seed ${seed}`).toHaveLength(21);
    expect(items.filter(({ status }) => ["pending", "sending"].includes(status))).toEqual([]);
    for (const [id, kind] of acknowledged) {
      const status = items.find((item) => item.id === id)?.status;
      expect(status).toBe(kind === "approve" ? "approved" : "rejected");
    }
    const shown = items.filter(({ card, digestId }) => card.state === "posted" || digestId);
    expect(shown).toHaveLength(21);
    const rows = await rig.database.db.selectFrom("digests").select("data").execute();
    const digests = rows.map(({ data }) => JSON.parse(data) as Digest);
    expect(digests.filter(({ card }) => card.state !== "posted")).toEqual([]);
    const ids = digests.flatMap(({ itemIds }) => itemIds);
    expect(new Set(ids).size).toBe(ids.length);
    const cards = rig.discord.of("held-card").length;
    expect(cards + ids.length).toBe(21);
    const { entries: record } = await server.audit.page({}, { limit: 100 });
    const done = record.filter(({ act }) => act === "approved" || act === "rejected");
    const decided = items.filter(({ status }) => status === "approved" || status === "rejected");
    expect(done.map(({ commentId }) => commentId).sort()).toEqual(
      decided.map(({ comment }) => comment.id).sort(),
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJobs } from "../../../src/jobs/index.ts";
import type { DecisionKind, HeldComment, ItemRef } from "../../../src/moderation/index.ts";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { seed, seeded } from "../../support/random.ts";
import { keeping } from "../support/rig.ts";
import { ann, bob, entriesOf, guildId, openRig, type Rig, startService } from "./rig.ts";

const second = 1_000;
const minute = 60 * second;

async function itemsOf(rig: Rig, refs: readonly ItemRef[]): Promise<readonly HeldComment[]> {
  return Promise.all(refs.map(rig.item));
}

function sentTo(rig: Rig, { comment }: HeldComment): readonly string[] {
  const those = rig.calls.filter(({ ids, status }) => status === 204 && ids.includes(comment.id));
  return those.map(({ kind }) => kind);
}

describe("after a restart", () => {
  it("pending decisions go when they are due", async () => {
    const rig = await openRig();
    const refs = await rig.fill(5);
    const before = rig.process();
    await before.decider.decide({ items: refs, kind: "approve", by: ann, from: "card" });
    before.fence.kill();
    await rig.clock.pass(2 * second);

    rig.process();
    await rig.clock.pass(4 * second);
    expect(rig.calls).toEqual([]);
    await rig.clock.pass(10 * second);

    expect(rig.calls).toMatchObject([{ kind: "published", ids: { length: 5 } }]);
  });

  it("a pending decision can still be taken back", async () => {
    const rig = await openRig();
    const [ref] = await rig.fill(1);
    const before = rig.process();
    await before.decider.decide({ items: [ref], kind: "ban", by: ann, from: "card" });
    before.fence.kill();
    const after = rig.process();

    const undone = await after.decider.undo(ref, bob);
    await rig.clock.pass(minute);

    expect(undone.state).toBe("open");
    expect(rig.calls).toEqual([]);
  });

  it.each(["approve", "reject", "ban", "hold"] as const)(
    "what was on its way and did not arrive is sent: %s",
    async (kind) => {
      const rig = await openRig();
      const [ref] = await rig.fill(1);
      await send(rig, ref, kind);

      rig.process();
      await rig.clock.pass(minute);

      const end = { approve: "approved", reject: "rejected", ban: "rejected", hold: "held" }[kind];
      expect(await rig.item(ref)).toMatchObject({ status: end, decision: { by: ann } });
      // A comment to be held is held already.
      expect(rig.calls).toHaveLength(kind === "hold" ? 0 : 1);
    },
  );

  it.each(["approve", "reject", "ban"] as const)(
    "what was on its way and had arrived is not sent again: %s",
    async (kind) => {
      const rig = await openRig();
      const [ref] = await rig.fill(1);
      await send(rig, ref, kind);
      const { comment } = await rig.item(ref);
      const moderationStatus = kind === "approve" ? "published" : "rejected";
      await rig.client.call("comments.setModerationStatus", { id: [comment.id], moderationStatus });

      rig.process();
      await rig.clock.pass(minute);

      expect((await rig.item(ref)).status).toBe(kind === "approve" ? "approved" : "rejected");
      expect(rig.calls).toHaveLength(1);
    },
  );

  it("a comment that was published meanwhile is still held", async () => {
    const rig = await openRig();
    const [ref] = await rig.fill(1);
    await send(rig, ref, "hold");
    const { comment } = await rig.item(ref);
    const given = { id: [comment.id], moderationStatus: "published" } as const;
    await rig.client.call("comments.setModerationStatus", given);

    rig.process();
    await rig.clock.pass(minute);

    expect((await rig.item(ref)).status).toBe("held");
  });

  it("what was put off comes back in time, as a new card", async () => {
    const rig = await openRig();
    const [ref] = await rig.fill(1);
    const before = rig.process();
    await before.decider.snooze(ref, ann, rig.clock.now() + 60 * minute);
    before.fence.kill();
    const { card } = await rig.item(ref);

    rig.process();
    await rig.clock.pass(59 * minute);
    expect((await rig.item(ref)).status).toBe("later");
    await rig.clock.pass(2 * minute);

    const back = await rig.item(ref);
    expect(back).toMatchObject({ status: "open", card: { state: "due" }, formerCard: card });
    expect(back.later).toBeUndefined();
    expect(back.card.handle).toMatch(/^[\w-]{22}$/);
    expect(back.card.handle).not.toBe(card.handle);
  });

  /** Leaves a decision as if a process had been killed while its call was under way. */
  async function send(rig: Rig, ref: ItemRef, kind: DecisionKind): Promise<void> {
    const at = rig.clock.now() - 20 * second;
    const decision = { kind, by: ann, from: "card", at, dueAt: at + 8 * second } as const;
    await rig.change(ref, { status: "sending", decision });
    const key = `${guildId}:${rig.watch.source}`;
    const dead = createJobs({
      database: rig.database,
      clock: rig.clock,
      random: () => 0.5,
      log: keeping([]),
    });
    await dead.put({ queue: "moderation.send", key, guildId });
  }
});

describe("two processes on one store", () => {
  it(`never send the same decision twice (seed ${seed})`, async () => {
    const random = seeded(seed);
    const rig = await openRig();
    const [one, other] = [rig.process(), rig.process()];
    const refs = await rig.fill(300);

    for (const ref of refs) {
      const { decider } = random() < 0.5 ? one : other;
      await decider.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
      await rig.clock.pass(Math.floor(random() * 200));
    }
    await rig.clock.pass(5 * minute);

    const ids = rig.calls.flatMap((call) => call.ids);
    expect(new Set(ids).size).toBe(300);
    expect(ids).toHaveLength(300);
    expect(new Set((await itemsOf(rig, refs)).map(({ status }) => status))).toEqual(
      new Set(["approved"]),
    );
  });

  it("send what the other left when it was killed", async () => {
    const rig = await openRig();
    const [one] = [rig.process(), rig.process()];
    const refs = await rig.fill(3);
    await one.decider.decide({ items: refs, kind: "reject", by: ann, from: "card" });
    one.fence.kill();

    await rig.clock.pass(minute);

    expect(rig.calls).toMatchObject([{ kind: "rejected", ids: { length: 3 } }]);
  });
});

for (const { name, make } of kinds) {
  describe.skipIf(make === undefined)(`a process that dies, on ${name}`, () => {
    const runs = name === "SQLite" ? 60 : 8;
    let kind: Kind;
    beforeAll(() => {
      if (make !== undefined) kind = make();
    });
    afterAll(() => kind?.stop());

    it(`at any step loses nothing, does nothing twice and records nothing twice (seed ${seed})`, async () => {
      const random = seeded(seed);
      const kinds: readonly DecisionKind[] = ["approve", "reject", "ban", "hold"];
      const service = await startService();
      for (let run = 0; run < runs; run += 1) {
        const rig = await openRig((await kind.fresh()).url, service);
        const author = `Author ${run}`;
        const refs = await rig.fill(6, author);
        const acknowledged = new Set<ItemRef>();
        const wanted = new Map<ItemRef, DecisionKind>();
        let lives = rig.process({ stepsToLive: 1 + Math.floor(random() * 70), random });

        for (const ref of refs) {
          const kind = kinds[Math.floor(random() * 4)] ?? "hold";
          wanted.set(ref, kind);
          const request = { items: [ref], kind, by: ann, from: "card" } as const;
          const decided = lives.decider.decide(request);
          await Promise.race([decided.then(() => acknowledged.add(ref)), lives.fence.killed]);
        }
        for (let restart = 0; restart < 3; restart += 1) {
          await Promise.race([rig.clock.pass(20 * second), lives.fence.killed]);
          lives.fence.kill();
          const stepsToLive = 1 + Math.floor(random() * 60);
          lives = rig.process(restart < 2 ? { stepsToLive, random } : {});
        }
        // The lock on a dead process's job has to expire.
        await rig.clock.pass(10 * minute);

        const entries = await entriesOf(rig);
        for (const item of await itemsOf(rig, refs)) {
          const ref = refs.find(({ itemId }) => itemId === item.id) as ItemRef;
          const kind = wanted.get(ref) as DecisionKind;
          const label = `run ${run}: ${kind} is ${item.status}`;
          const ends = { approve: "approved", reject: "rejected", ban: "rejected", hold: "held" };
          const possible = acknowledged.has(ref) ? [ends[kind]] : [ends[kind], "open"];
          expect(possible, label).toContain(item.status);
          const about = entries.filter(({ commentId }) => commentId === item.comment.id);
          expect(about, label).toHaveLength(item.status === "open" ? 0 : 1);
          const sent = sentTo(rig, item);
          if (item.status === "open") expect(sent, label).toEqual([]);
          expect(sent.length, label).toBeLessThanOrEqual(1);
        }
        const { authorId = "" } = (await rig.item(refs[0])).comment;
        const history = await rig.records.authors.read(guildId, authorId);
        const counted = history ?? { approved: 0, rejected: 0 };
        const over = (await itemsOf(rig, refs)).map(({ status }) => status);
        const among = (status: string) => over.filter((one) => one === status).length;
        expect(counted.approved).toBe(among("approved"));
        expect(counted.rejected).toBe(among("rejected"));
        await rig.close();
      }
    });
  });
}

import { afterAll, describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { onEach } from "../../support/databases/each-kind.ts";
import { ann, bob, entriesOf, guildId, openRig, watchOf } from "./rig.ts";

const second = 1_000;

onEach((kind) => {
  afterAll(() => kind().stop());

  const openOne = async () => {
    const rig = await openRig((await kind().fresh()).url);
    const [ref] = await rig.fill(1);
    return { rig, ref, decider: rig.process().decider };
  };

  describe("a claim", () => {
    it("is of who was first, until somebody who has seen it takes over", async () => {
      const { ref, decider } = await openOne();

      await decider.claim(ref, { by: ann });
      const late = await decider.claim(ref, { by: bob });
      const over = await decider.claim(ref, { by: bob, over: ann.userId });

      expect(late?.assigned?.by).toEqual(ann);
      expect(over?.assigned?.by).toEqual(bob);
    });

    it("is released by its owner alone", async () => {
      const { ref, decider } = await openOne();
      await decider.claim(ref, { by: ann });

      const foreign = await decider.release(ref, bob.userId);
      const own = await decider.release(ref, ann.userId);

      expect(foreign?.assigned?.by).toEqual(ann);
      expect(own?.assigned).toBeUndefined();
    });

    it("keeps nobody from deciding, and ends with the decision", async () => {
      const { ref, rig, decider } = await openOne();
      await decider.claim(ref, { by: ann });

      const [decided] = await decider.decide({
        items: [ref],
        kind: "approve",
        by: bob,
        from: "card",
      });
      await decider.undo(ref, bob);

      expect(decided?.state).toBe("pending");
      expect(decided?.item?.assigned).toBeUndefined();
      expect(await rig.item(ref)).not.toHaveProperty("assigned");
    });
  });

  describe("the reason of a rejection", () => {
    const reason = { text: " Sells\n watches ", by: bob };
    const stored = { text: "Sells watches", by: bob };

    it("goes into the log with the decision", async () => {
      const { ref, rig, decider } = await openOne();
      await decider.decide({ items: [ref], kind: "reject", by: ann, from: "card" });

      const explained = await decider.explain(ref, reason);
      await rig.clock.pass(30 * second);

      expect(explained).toMatchObject({ status: "pending", decision: { reason: stored } });
      expect(await rig.item(ref)).toMatchObject({
        status: "rejected",
        decision: { reason: stored },
      });
      expect(await entriesOf(rig)).toMatchObject([{ act: "rejected", by: ann, reason: stored }]);
    });

    it("is added to the log after the decision was sent, and to other queues", async () => {
      const { ref, rig, decider } = await openOne();
      const other = watchOf("e".repeat(16), rig.watch.source);
      await rig.records.watches.change(guildId, other.id, () => other);
      const also = await rig.putAlso(ref, other);
      await decider.decide({ items: [ref], kind: "ban", by: ann, from: "card" });
      await rig.clock.pass(30 * second);

      await decider.explain(ref, { ...reason, text: "first" });
      await decider.explain(ref, reason);

      expect(await entriesOf(rig)).toMatchObject([{ act: "banned", by: ann, reason: stored }]);
      expect(await rig.item(also)).toMatchObject({ decision: { reason: stored } });
    });

    it("is for rejections alone", async () => {
      const { ref, rig, decider } = await openOne();

      const open = await decider.explain(ref, reason);
      await decider.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
      const approved = await decider.explain(ref, reason);
      await rig.clock.pass(30 * second);

      expect([open, approved]).toEqual([undefined, undefined]);
      expect((await entriesOf(rig))[0]).not.toHaveProperty("reason");
    });

    it("has 1 to 200 characters", async () => {
      const { ref, rig, decider } = await openOne();
      await decider.decide({ items: [ref], kind: "reject", by: ann, from: "card" });

      for (const text of [" ", "x".repeat(201)]) {
        const error = await decider.explain(ref, { text, by: bob }).catch((thrown) => thrown);
        expect(error).toBeInstanceOf(InputError);
        expect(error).toMatchObject({ code: "reason_text", facts: { maxChars: 200 } });
      }
      expect((await rig.records.comments.read(guildId, ref))?.decision).not.toHaveProperty(
        "reason",
      );
    });
  });
});

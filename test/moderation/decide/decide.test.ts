import { afterAll, describe, expect, it } from "vitest";
import { undoWindowMs } from "../../../src/moderation/decide/take-decisions.ts";
import type { ItemRef } from "../../../src/moderation/index.ts";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { ann, bob, guildId, openQueue, openRig, type Process, start, watchOf } from "./rig.ts";

const second = 1_000;

function approve({ decider }: Process, refs: readonly ItemRef[], by = ann) {
  return decider.decide({ items: refs, kind: "approve", by, from: "card" });
}

function reject({ decider }: Process, refs: readonly ItemRef[], by = ann) {
  return decider.decide({ items: refs, kind: "reject", by, from: "card" });
}

const sizes = (calls: readonly { readonly ids: readonly string[] }[]) =>
  calls.map(({ ids }) => ids.length);

/** A comment that is in the queues of two watches. */
async function inTwoWatches() {
  const rig = await openRig();
  const process = rig.process();
  const other = watchOf("b".repeat(16), rig.video.ownChannelId);
  await rig.records.watches.change(guildId, other.id, () => other);
  const [ref] = await rig.fill(1);
  const also = await rig.putAlso(ref, other);
  return { rig, process, other, ref, also };
}

describe("deciding", () => {
  it("gives a comment to who was first, and tells the second who that was", async () => {
    const { process, refs } = await openQueue(1);

    const [first] = await approve(process, refs, ann);
    const [second] = await reject(process, refs, bob);

    expect(first).toMatchObject({ state: "pending", item: { status: "pending" } });
    expect(second).toMatchObject({
      state: "taken",
      item: { decision: { by: ann, kind: "approve" } },
    });
  });

  it("lets one of fifty who press the same button at once be first", async () => {
    const rig = await openRig();
    const [one, other] = [rig.process(), rig.process()];
    const refs = await rig.fill(1);
    const people = Array.from({ length: 50 }, (_, n) => ({
      userId: `${300_000_000_000_000_100n + BigInt(n)}`,
      userName: `Person ${n}`,
    }));

    const decided = await Promise.all(
      people.map((by, n) => approve(n % 2 === 0 ? one : other, refs, by)),
    );
    await rig.clock.pass(30 * second);

    expect(decided.flat().filter(({ state }) => state === "pending")).toHaveLength(1);
    expect(sizes(rig.calls)).toEqual([1]);
  });

  it("sends fifty presses at once in one call", async () => {
    const { rig, process, refs } = await openQueue(50);

    await Promise.all(refs.map((ref) => approve(process, [ref])));
    await rig.clock.pass(30 * second);

    expect(sizes(rig.calls)).toEqual([50]);
    const items = await Promise.all(refs.map(rig.item));
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["approved"]));
    expect(await rig.standing(refs[49] as ItemRef)).toBe("published");
  });

  it("sends a batch together when it is asked to, and no decision of somebody else with it", async () => {
    const { rig, decider, refs } = await openQueue(60);
    const dueAt = start + 900 * second;
    const batch = { userId: ann.userId, dueAt };
    const request = { kind: "reject", from: "review", dueAt } as const;
    await decider.decide({ ...request, by: ann, items: refs.slice(0, 59) });
    await decider.decide({ ...request, by: bob, items: refs.slice(59) });
    await decider.undo(refs[0], bob);
    await rig.clock.pass(60 * second);
    const before = rig.calls.length;

    const { counts } = await decider.hasten(batch);
    await rig.clock.pass(30 * second);

    expect(before).toBe(0);
    expect(counts).toEqual(new Map([["reject", 58]]));
    expect(sizes(rig.calls)).toEqual([50, 8]);
    expect(await rig.item(refs[59] as ItemRef)).toMatchObject({ status: "pending" });
    expect(await decider.hasten(batch)).toMatchObject({ counts: new Map() });
  });

  it("sends a batch that nobody finishes when it is due, without making others wait for it", async () => {
    const { rig, process, refs } = await openQueue(3);
    const dueAt = start + 900 * second;
    await process.decider.decide({
      kind: "approve",
      from: "review",
      by: ann,
      dueAt,
      items: refs.slice(0, 2),
    });

    await approve(process, refs.slice(2), bob);
    await rig.clock.pass(undoWindowMs + 5 * second);
    const soon = sizes(rig.calls);
    await rig.clock.pass(900 * second);

    expect(soon).toEqual([1]);
    expect(sizes(rig.calls)).toEqual([1, 2]);
  });

  it("undoes what is left of a batch", async () => {
    const { rig, decider, refs } = await openQueue(3);
    const dueAt = start + 900 * second;
    await decider.decide({ kind: "ban", from: "review", by: ann, dueAt, items: refs });

    const count = await decider.undoBatch({ userId: ann.userId, dueAt }, ann);

    expect(count).toBe(3);
    expect(await rig.item(refs[0])).toMatchObject({
      status: "open",
      undone: { by: ann },
    });
  });

  it("keeps what is public already without a call, and sends the others", async () => {
    const { rig, process, refs } = await openQueue(3);
    const [shown, other, undone] = refs;
    for (const ref of [shown, undone]) {
      const { comment } = await rig.item(ref);
      await rig.change(ref, { comment: { ...comment, state: "published" } });
    }

    await approve(process, refs);
    await process.decider.undo(undone, bob);
    await rig.clock.pass(30 * second);

    expect(sizes(rig.calls)).toEqual([1]);
    expect(await rig.item(shown)).toMatchObject({
      status: "approved",
      endedAt: expect.any(Number),
    });
    expect(await rig.item(other)).toMatchObject({ status: "approved" });
    expect(await rig.item(undone)).toMatchObject({ status: "open" });
  });

  it("closes a public comment when somebody answers it, and no other", async () => {
    const { rig, decider, refs } = await openQueue(2);
    const [shown, held] = refs;
    const { comment } = await rig.item(shown);
    await rig.change(shown, { comment: { ...comment, state: "published" } });

    for (const ref of [shown, held]) await decider.recordReply(ref, ann, "Thank you!");

    const decision = { kind: "approve", by: ann };
    expect(await rig.item(shown)).toMatchObject({ status: "approved", decision });
    expect(await rig.item(held)).toMatchObject({
      status: "open",
      replied: { by: ann, text: "Thank you!" },
    });
  });

  it("sends nothing while it can be taken back, and one decision alone soon after", async () => {
    const { rig, process, refs } = await openQueue(1);

    await reject(process, refs);
    await rig.clock.pass(undoWindowMs - 1);
    expect(rig.calls).toEqual([]);
    await rig.clock.pass(5 * second);

    expect(rig.calls).toMatchObject([{ kind: "rejected" }]);
    expect(await rig.item(refs[0])).toMatchObject({
      status: "rejected",
      decision: { by: ann },
      endedAt: rig.clock.now() - 999,
    });
  });

  it("keeps kinds apart, and hides the author only where that was decided", async () => {
    const { rig, process, refs } = await openQueue(8);
    const kinds = ["approve", "reject", "ban", "hold"] as const;

    for (const [place, ref] of refs.entries()) {
      const kind = kinds[place % 4] ?? "hold";
      await process.decider.decide({ items: [ref], kind, by: ann, from: "card" });
    }
    await rig.clock.pass(30 * second);

    const sent = rig.calls.map(({ kind, ids }) => [kind, ids.length]);
    expect(new Map(sent as [string, number][])).toEqual(
      new Map([
        ["published", 2],
        ["rejected", 2],
        ["rejected+ban", 2],
        ["heldForReview", 2],
      ]),
    );
    expect(rig.calls).toHaveLength(4);
  });

  it.each([
    ["at once", 0],
    ["over half a minute", 30],
    ["over five minutes", 300],
  ])("needs twenty calls for a thousand decisions of one kind %s", async (_, seconds) => {
    const { rig, process, refs } = await openQueue(1_000);

    for (const ref of refs) {
      await approve(process, [ref]);
      await rig.clock.pass(seconds);
    }
    await rig.clock.pass(60 * second);

    expect(rig.calls.length).toBe(20);
    const items = await Promise.all(refs.map(rig.item));
    expect(items.every(({ status }) => status === "approved")).toBe(true);
  });

  it("has nothing to decide about what is rejected, and does what it is asked about what is held", async () => {
    const { rig, process, refs } = await openQueue(2);
    const [rejected, held] = refs;
    await reject(process, [rejected]);
    await process.decider.decide({ items: [held], kind: "hold", by: ann, from: "rule" });
    await rig.clock.pass(30 * second);

    const [late] = await approve(process, [rejected], bob);
    const [released] = await approve(process, [held], bob);
    await rig.clock.pass(30 * second);

    expect(late).toMatchObject({ state: "over", item: { status: "rejected" } });
    expect(released?.state).toBe("pending");
    expect(await rig.standing(held)).toBe("published");
    expect(await rig.standing(rejected)).toBeUndefined();
  });

  it("reconsiders what was approved only out of the record", async () => {
    const { rig, process, refs } = await openQueue(1);
    await approve(process, refs);
    await rig.clock.pass(30 * second);

    const [card] = await reject(process, refs, bob);
    const request = { items: refs, kind: "hold", by: bob, from: "log" } as const;
    const [log] = await process.decider.decide(request);
    const undone = await process.decider.undo(refs[0], bob);

    expect(card?.state).toBe("over");
    expect(log?.state).toBe("pending");
    expect(undone).toMatchObject({ state: "open", item: { status: "approved" } });
  });

  it("knows no comment that is in no queue", async () => {
    const { process, ref } = await openQueue(1);

    const decided = await approve(process, [
      { ...ref, itemId: "f".repeat(32) },
      { ...ref, watchId: "b".repeat(16) },
    ]);

    expect(decided.map(({ state }) => state)).toEqual(["absent", "absent"]);
  });

  it("takes a comment that is in two queues for one", async () => {
    const { rig, process, ref, also } = await inTwoWatches();

    await approve(process, [ref]);
    const [taken] = await reject(process, [also], bob);
    await rig.clock.pass(30 * second);

    expect(taken).toMatchObject({ state: "taken", item: { decision: { by: ann } } });
    expect(await rig.item(also)).toMatchObject({ status: "approved", decision: { by: ann } });
    expect((await rig.item(also)).needsDrawing).toBe(true);
  });
});

for (const { name, make } of kinds) {
  describe.skipIf(make === undefined)(`two people at once, on ${name}`, () => {
    let kind: Kind | undefined;
    afterAll(() => kind?.stop());

    it("decide a comment once, each in another watch", async () => {
      kind = make?.();
      const rig = await openRig((await kind?.fresh())?.url);
      const [one, another] = [rig.process(), rig.process()];
      const other = watchOf("0".repeat(16), rig.video.ownChannelId);
      await rig.records.watches.change(guildId, other.id, () => other);
      const refs = await rig.fill(10);
      const also = await Promise.all(refs.map((ref) => rig.putAlso(ref, other)));

      const decided = await Promise.all(
        refs.flatMap((ref, n) => [approve(one, [ref]), reject(another, [also[n] as ItemRef], bob)]),
      );
      await rig.clock.pass(60 * second);

      const states = decided.flat().map(({ state }) => state);
      expect(states.filter((state) => state === "pending")).toHaveLength(10);
      expect(states.filter((state) => state === "taken")).toHaveLength(10);
      expect(sizes(rig.calls).reduce((sum, size) => sum + size, 0)).toBe(10);
    });
  });
}

describe("undo", () => {
  it("takes a decision back while it is pending", async () => {
    const { rig, process, ref } = await openQueue(1);
    await reject(process, [ref]);

    const undone = await process.decider.undo(ref, bob);
    await rig.clock.pass(60 * second);

    expect(undone).toMatchObject({ state: "open", item: { status: "open", undone: { by: bob } } });
    expect(undone.item?.decision).toBeUndefined();
    expect(rig.calls).toEqual([]);
  });

  it("takes back what was decided in another watch, which shows that decision until then", async () => {
    const { rig, process, other, ref, also } = await inTwoWatches();
    const shown = async () => {
      const [item] = await rig.records.comments.asShown(guildId, [await rig.item(also)]);
      return item;
    };

    await reject(process, [ref]);
    const before = await shown();
    const { needsDrawing } = await rig.item(also);
    const undone = await process.decider.undo(also, bob);
    await rig.clock.pass(60 * second);

    expect(before).toMatchObject({ status: "pending", watchId: other.id, decision: { by: ann } });
    expect(needsDrawing).toBe(true);
    expect(undone).toMatchObject({ state: "open", item: { status: "open", watchId: other.id } });
    expect(await shown()).toMatchObject({ status: "open" });
    expect(await rig.item(ref)).toMatchObject({ status: "open", undone: { by: bob } });
    expect(rig.calls).toEqual([]);
  });

  it("is late for what has left, and for what nobody decided about", async () => {
    const { rig, process, refs } = await openQueue(2);
    const [sent, open] = refs;
    await approve(process, [sent]);
    await rig.clock.pass(30 * second);

    const late = await process.decider.undo(sent, ann);
    const never = await process.decider.undo(open, ann);

    expect(late).toMatchObject({ state: "late", item: { status: "approved" } });
    expect(never).toMatchObject({ state: "late", item: { status: "open" } });
  });

  it("and the call that is about to leave: one of them wins, and both say the same", async () => {
    const rig = await openRig();
    const [one, other] = [rig.process(), rig.process()];
    const refs = await rig.fill(40);
    await approve(one, refs);

    const flush = rig.clock.pass(12 * second);
    const undone: Awaited<ReturnType<typeof one.decider.undo>>[] = [];
    while (rig.clock.now() < (await rig.item(refs[0])).seenAt + 12 * second) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    undone.push(...(await Promise.all(refs.map((ref) => other.decider.undo(ref, bob)))));
    await flush;
    await rig.clock.pass(30 * second);

    const items = await Promise.all(refs.map(rig.item));
    const sent = new Set(rig.calls.flatMap(({ ids }) => ids));
    for (const [place, { state }] of undone.entries()) {
      const item = items[place];
      expect(item?.status).toBe(state === "open" ? "open" : "approved");
      expect(sent.has(item?.comment.id ?? "")).toBe(state === "late");
    }
  });

  it("lets the same comment be decided anew, and sends only that", async () => {
    const { rig, process, refs } = await openQueue(1);
    await reject(process, refs);
    await process.decider.undo(refs[0], ann);

    await approve(process, refs, bob);
    await rig.clock.pass(30 * second);

    expect(rig.calls).toMatchObject([{ kind: "published" }]);
  });

  it("a press a millisecond after the call began is no part of it, and joins the next", async () => {
    const { rig, process, refs } = await openQueue(2);
    const [first, second_] = refs;
    const calls = rig.holdCalls();
    await approve(process, [first]);

    const flush = rig.clock.pass(12 * second + 1);
    await calls.begun;
    const [taken] = await reject(process, [first], bob);
    const [pending] = await approve(process, [second_], bob);
    calls.letThrough();
    await flush;
    await rig.clock.pass(30 * second);

    expect(taken).toMatchObject({ state: "taken", item: { status: "sending" } });
    expect(pending?.state).toBe("pending");
    expect(sizes(rig.calls)).toEqual([1, 1]);
    expect(await rig.item(second_)).toMatchObject({ status: "approved", decision: { by: bob } });
  });
});

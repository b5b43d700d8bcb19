import { describe, expect, it } from "vitest";
import type { AuthorHistory, ItemRef } from "../../../src/moderation/index.ts";
import { ann, bob, entriesOf, guildId, openQueue, openRig, type Rig, watchOf } from "./rig.ts";

const minute = 60_000;

async function historyOf(rig: Rig, ref: ItemRef): Promise<AuthorHistory | undefined> {
  const { authorId = "" } = (await rig.item(ref)).comment;
  return rig.records.authors.read(guildId, authorId);
}

const rule = { ruleId: "0a0a0a0a", ruleName: "Links" };

describe("putting off", () => {
  it("waits until the time has come, and can be decided about meanwhile", async () => {
    const { rig, decider, jobs, refs } = await openQueue(2);
    const [ref, decided] = refs;
    const until = rig.clock.now() + 30 * 24 * 60 * minute;

    const later = await decider.snooze(ref, ann, until);
    await decider.snooze(decided, ann, until);
    await decider.decide({ items: [decided], kind: "approve", by: bob, from: "card" });
    await rig.clock.pass(minute);
    // No process works meanwhile.
    await jobs.close();
    await rig.clock.pass(29 * 24 * 60 * minute);
    const next = rig.process();
    await rig.clock.pass(minute);

    expect(later).toMatchObject({ state: "pending", item: { status: "later" } });
    expect(await rig.item(ref)).toMatchObject({ status: "later", later: { by: ann, until } });
    expect((await rig.item(decided)).later).toBeUndefined();
    await next.jobs.close();
    await rig.clock.pass(24 * 60 * minute);
    rig.process();
    await rig.clock.pass(minute);
    expect(await rig.item(ref)).toMatchObject({ status: "open", card: { state: "due" } });
    expect((await rig.item(decided)).status).toBe("approved");
  });

  it("gives what stood among others a card of its own when it comes back", async () => {
    const { rig, decider, ref } = await openQueue(1);
    await rig.change(ref, { digestId: "d".repeat(32) });

    await decider.snooze(ref, ann, rig.clock.now() + minute);
    await rig.clock.pass(2 * minute);

    const back = await rig.item(ref);
    expect(back.digestId).toBeUndefined();
    expect(back.formerCard).toBeUndefined();
    expect(back.card.state).toBe("due");
  });

  it("ends at once when somebody wants it back, with the card that is there", async () => {
    const { rig, decider, ref } = await openQueue(1);
    const { card } = await rig.item(ref);
    await decider.snooze(ref, ann, rig.clock.now() + 60 * minute);

    const back = await decider.endSnooze(ref);
    await rig.clock.pass(120 * minute);

    expect(back).toMatchObject({ status: "open", card });
    expect(await rig.item(ref)).toMatchObject({ status: "open", card });
  });

  it("may be for longer or for less than somebody chose before", async () => {
    const { rig, decider, ref } = await openQueue(1);
    await decider.snooze(ref, ann, rig.clock.now() + 10 * minute);

    await decider.snooze(ref, bob, rig.clock.now() + 60 * minute);
    await rig.clock.pass(30 * minute);

    expect(await rig.item(ref)).toMatchObject({ status: "later", later: { by: bob } });
  });

  it("is too late for what is decided", async () => {
    const { rig, decider, refs } = await openQueue(1);
    await decider.decide({ items: refs, kind: "approve", by: ann, from: "card" });

    const pending = await decider.snooze(refs[0], bob, rig.clock.now() + minute);
    await rig.clock.pass(minute);
    const over = await decider.snooze(refs[0], bob, rig.clock.now() + minute);
    const absent = { ...refs[0], itemId: "e".repeat(32) };

    expect(pending).toMatchObject({ state: "taken", item: { decision: { by: ann } } });
    expect(over.state).toBe("over");
    expect((await decider.snooze(absent, bob, 1)).state).toBe("absent");
  });
});

describe("the record", () => {
  it("holds every decision, who made it, where, and what YouTube answered", async () => {
    const { rig, decider, refs } = await openQueue(5);
    const at = rig.clock.now();
    await decider.decide({ items: [refs[0]], kind: "approve", by: ann, from: "card" });
    await decider.decide({ items: [refs[1]], kind: "ban", by: bob, from: "digest" });
    await decider.decide({ items: [refs[2]], kind: "hold", by: rule, from: "rule" });
    await rig.clock.pass(1_000);
    await decider.decide({ items: [refs[3]], kind: "reject", by: ann, from: "card" });
    await decider.undo(refs[3], bob);
    await decider.snooze(refs[4], bob, rig.clock.now() + 60 * minute);
    await decider.recordReply(refs[0], bob, "x".repeat(400));
    await rig.clock.pass(minute);

    const entries = await entriesOf(rig);

    const { comment, seenAt } = await rig.item(refs[0]);
    expect(entries).toContainEqual({
      id: expect.stringMatching(new RegExp(`^${at}-[0-9a-f]{8}$`)),
      at,
      by: ann,
      act: "approved",
      from: "card",
      answer: "done",
      source: rig.video.ownChannelId,
      seenAt,
      commentId: comment.id,
      authorId: comment.authorId,
      authorName: comment.authorName,
      text: comment.text,
    });
    expect(
      entries.map(({ act, by, from }) => [act, "userName" in by ? by.userName : "", from]),
    ).toEqual(
      expect.arrayContaining([
        ["banned", "Bob", "digest"],
        ["held", "", "rule"],
        ["undone", "Bob", "card"],
        ["later", "Bob", "card"],
        ["replied", "Bob", "card"],
      ]),
    );
    expect(entries).toHaveLength(6);
    expect(entries.find(({ act }) => act === "replied")?.reply).toBe(`${"x".repeat(299)}…`);
    const times = entries.map((entry) => entry.at);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it("knows how often somebody was approved and rejected", async () => {
    const rig = await openRig();
    const { decider } = rig.process();
    const refs = await rig.fill(4, "Nia Calder");
    const request = { by: ann, from: "card" } as const;

    await decider.decide({ ...request, items: refs.slice(0, 2), kind: "approve" });
    await decider.decide({ ...request, items: [refs[2]], kind: "reject" });
    await decider.decide({ ...request, items: [refs[3]], kind: "hold" });
    await rig.clock.pass(minute);

    expect(await historyOf(rig, refs[0])).toMatchObject({ seen: 0, approved: 2, rejected: 1 });
  });

  it("takes what a command decided, for the queues of that channel alone", async () => {
    const rig = await openRig();
    const { decider } = rig.process();
    const foreign = watchOf("c".repeat(16), "UCsomebodyElse");
    await rig.records.watches.change(guildId, foreign.id, () => foreign);
    const [ref] = await rig.fill(1);
    const there = await rig.putAlso(ref, foreign);
    const { comment } = await rig.item(ref);

    await decider.recordDirectDecisions([
      {
        commentId: comment.id,
        kind: "approve",
        by: ann,
        from: "command",
        answer: "done",
        source: rig.video.ownChannelId,
        authorId: comment.authorId,
      },
    ]);

    expect((await rig.item(ref)).status).toBe("approved");
    expect((await rig.item(there)).status).toBe("open");
    expect(await historyOf(rig, ref)).toMatchObject({ approved: 1 });
  });
});

describe("letting go", () => {
  it("of a watch sends nothing of it", async () => {
    const { rig, decider, refs } = await openQueue(3);
    await decider.decide({ items: refs, kind: "reject", by: ann, from: "card" });

    await rig.records.watches.remove(guildId, rig.watch.id);
    await rig.clock.pass(5 * minute);

    expect(rig.calls).toEqual([]);
  });

  it("of a server writes nothing more of it, whatever is on its way", async () => {
    const { rig, decider, refs } = await openQueue(3);
    const calls = rig.holdCalls();
    await decider.decide({ items: refs, kind: "reject", by: ann, from: "card" });
    const passing = rig.clock.pass(13_000);
    await calls.begun;

    const serverId = (await rig.database.servers.find(guildId)) ?? 0;
    await rig.database.servers.remove({ table: "servers", serverId });
    calls.letThrough();
    await passing;
    await rig.clock.pass(minute);

    expect(await rig.database.servers.find(guildId)).toBeUndefined();
    expect(await rig.database.db.selectFrom("audit_log").selectAll().execute()).toEqual([]);
    expect(await rig.waiting("moderation.send")).toEqual([]);
  });

  it("of everything finishes the call that is under way, and leaves the rest to the next start", async () => {
    const { rig, decider, jobs, refs } = await openQueue(2);
    const [sent, pending] = refs;
    const calls = rig.holdCalls();
    await decider.decide({ items: [sent], kind: "reject", by: ann, from: "card" });
    const passing = rig.clock.pass(13_000);
    await calls.begun;
    await decider.decide({ items: [pending], kind: "reject", by: ann, from: "card" });

    const closed = jobs.close();
    calls.letThrough();
    await closed;
    await passing;
    await rig.clock.pass(minute);

    expect((await rig.item(sent)).status).toBe("rejected");
    expect((await rig.item(pending)).status).toBe("pending");
  });
});

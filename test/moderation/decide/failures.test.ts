import { describe, expect, it } from "vitest";
import { ConnectError, ServiceError } from "../../../src/errors.ts";
import type { DecisionKind, ItemRef } from "../../../src/moderation/index.ts";
import { LostError } from "../../../src/ownership.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { ann, entriesOf, guildId, openQueue, openRig, type Process, type Rig } from "./rig.ts";

const minute = 60_000;
const hour = 60 * minute;
const moderating = /setModerationStatus/;
const looking = /\/comment(s|Threads)\?/;

function decide({ decider }: Process, refs: readonly ItemRef[], kind: DecisionKind = "approve") {
  return decider.decide({ items: refs, kind, by: ann, from: "card" });
}

async function statuses(rig: Rig, refs: readonly ItemRef[]): Promise<ReadonlySet<string>> {
  return new Set((await Promise.all(refs.map(rig.item))).map(({ status }) => status));
}

/** Replaces an item's comment with one that YouTube does not know. */
async function loseComment({ change, item }: Rig, ref: ItemRef): Promise<void> {
  const { comment } = await item(ref);
  await change(ref, { comment: { ...comment, id: "UgzNobodyKnowsThis4AaABAg" } });
}

describe("a comment that can't be decided about", () => {
  it("goes back with the reason, alone of fifty", async () => {
    const { rig, process, refs } = await openQueue(50);
    const bad = refs[31] as ItemRef;
    rig.video.withdrawComment((await rig.item(bad)).comment.id);

    await decide(process, refs);
    await rig.clock.pass(minute);

    const others = refs.filter((ref) => ref !== bad);
    expect(await statuses(rig, others)).toEqual(new Set(["approved"]));
    expect(await rig.item(bad)).toMatchObject({
      status: "open",
      failure: { code: "processing_failure", kind: "approve" },
    });
    expect((await rig.item(bad)).decision).toBeUndefined();
    expect((await rig.item(bad)).revision).toBe(3);
    expect(rig.calls.length).toBeLessThanOrEqual(13);
  });

  it("is gone when nobody can find it, unless it was to be rejected", async () => {
    const { rig, process, refs } = await openQueue(3);
    for (const ref of refs) await loseComment(rig, ref);
    const kinds = ["approve", "ban", "reject"] as const;

    for (const [place, ref] of refs.entries()) await decide(process, [ref], kinds[place]);
    await rig.clock.pass(minute);

    const failure = { code: "comment_not_found" };
    expect(await rig.item(refs[0])).toMatchObject({ status: "gone", failure });
    expect(await rig.item(refs[1])).toMatchObject({ status: "gone", failure });
    expect(await rig.item(refs[2])).toMatchObject({ status: "rejected" });
  });
});

describe("YouTube failing", () => {
  it("is asked again after a 503 and a cut, and people hear nothing of it", async () => {
    const { rig, process, refs } = await openQueue(5);
    rig.video.faults.add({ path: moderating, kind: "answer", status: 503, times: 1 });
    rig.video.faults.add({ path: moderating, kind: "cut-after", times: 1 });

    await decide(process, refs, "reject");
    await rig.clock.pass(minute);

    expect(await statuses(rig, refs)).toEqual(new Set(["rejected"]));
    const items = await Promise.all(refs.map(rig.item));
    expect(items.map(({ revision }) => revision)).toEqual([3, 3, 3, 3, 3]);
  });

  it.each(["approve", "reject", "hold", "ban"] as const)(
    "that fails gets what was decided once it works again: %s",
    async (kind) => {
      const { rig, process, refs } = await openQueue(3);
      const isHeld = kind === "hold";
      rig.video.faults.add({ path: moderating, kind: "answer", status: 503 });

      await decide(process, refs, kind);
      await rig.clock.pass(minute);
      const kept = await rig.item(refs[0]);
      const tries = rig.calls.length;
      rig.video.faults.clear();
      await rig.clock.pass(hour);

      // Comments to be held are held already, so nothing needs to be sent.
      expect(kept.status).toBe(isHeld ? "held" : "pending");
      const delay = { why: "service", failure: { code: "service_unavailable" } };
      if (!isHeld) expect(kept.decision).toMatchObject({ kind, delay });
      const done = { approve: "approved", hold: "held", reject: "rejected", ban: "rejected" }[kind];
      expect(await statuses(rig, refs)).toEqual(new Set([done]));
      expect((await rig.item(refs[0])).decision).not.toHaveProperty("delay");
      expect(rig.calls.length - tries).toBe(isHeld ? 0 : 1);
      expect((await entriesOf(rig)).map(({ answer }) => answer)).toEqual(["done", "done", "done"]);
    },
  );

  it.each(["approve", "reject", "ban"] as const)(
    "whose answer is lost has done it, as a look shows: %s",
    async (kind) => {
      const { rig, process, refs } = await openQueue(3);
      rig.video.faults.add({ path: moderating, kind: "cut-after" });

      await decide(process, refs, kind);
      await rig.clock.pass(minute);

      const done = kind === "approve" ? "approved" : "rejected";
      expect(await statuses(rig, refs)).toEqual(new Set([done]));
      expect((await entriesOf(rig)).map(({ answer }) => answer)).toEqual(["done", "done", "done"]);
    },
  );

  it("that can't be asked how rejections stand is asked again, before anything is said", async () => {
    const { rig, process, refs } = await openQueue(2);
    rig.video.faults.add({ path: moderating, kind: "cut-after" });
    rig.video.faults.add({ path: looking, kind: "answer", status: 503, times: 11 });

    await decide(process, refs, "reject");
    await rig.clock.pass(16_000);
    expect(await statuses(rig, refs)).toEqual(new Set(["sending"]));
    await rig.clock.pass(minute);

    expect(await statuses(rig, refs)).toEqual(new Set(["rejected"]));
  });

  it("that stays silent about rejections is given up after six hours", async () => {
    const { rig, process, refs } = await openQueue(2);
    rig.video.faults.add({ path: moderating, kind: "cut-after" });
    rig.video.faults.add({ path: looking, kind: "answer", status: 503 });

    await decide(process, refs, "reject");
    await rig.clock.pass(5 * hour);
    const before = await statuses(rig, refs);
    await rig.clock.pass(2 * hour);

    expect(before).toEqual(new Set(["sending"]));
    expect(await statuses(rig, refs)).toEqual(new Set(["open"]));
    expect((await rig.item(refs[0])).failure).toMatchObject({ code: "cut" });
  });

  it("that takes no decision for six hours gives them back, and the log has the reason", async () => {
    const { rig, process, refs } = await openQueue(2);
    rig.video.faults.add({ path: moderating, kind: "answer", status: 503 });

    await decide(process, refs);
    await rig.clock.pass(5 * hour);
    const before = await statuses(rig, refs);
    const units = rig.calls.length * 50;
    await rig.clock.pass(2 * hour);

    expect(before).toEqual(new Set(["pending"]));
    expect(units).toBeLessThan(6_000);
    const failure = { code: "service_unavailable", kind: "approve" };
    expect(await rig.item(refs[0])).toMatchObject({ status: "open", failure });
    expect(await entriesOf(rig)).toMatchObject([
      { act: "failed", answer: "service_unavailable", by: ann, settledAt: expect.any(Number) },
      { act: "failed" },
    ]);
  });

  it("is not asked again by each press while it fails", async () => {
    const { rig, process, refs } = await openQueue(3);
    rig.video.faults.add({ path: moderating, kind: "answer", status: 503 });
    await decide(process, refs.slice(0, 1));
    await rig.clock.pass(10 * minute);
    const before = rig.calls.length;

    const [pressed] = await decide(process, refs.slice(1, 2), "reject");
    await rig.clock.pass(minute);

    expect(pressed?.item?.decision?.delay).toMatchObject({ why: "service" });
    expect(rig.calls.length).toBe(before);
  });
});

describe("what keeps all decisions from leaving", () => {
  /** A process without units until `at`. */
  const openPoor = async (count: number) => {
    const rig = await openRig();
    const at = rig.clock.now() + 2 * hour;
    const shortage = async () =>
      rig.clock.now() < at ? ({ at, isGone: true } as const) : undefined;
    const pace = { findShortage: shortage, takeUnits: shortage };
    return { rig, at, pace, process: rig.process({ pace }), refs: await rig.fill(count) };
  };

  it("says so at the press, and keeps them until the units return", async () => {
    const { rig, at, process, refs } = await openPoor(120);

    const [first] = await decide(process, refs);
    await rig.clock.pass(hour);
    const kept = await statuses(rig, refs);
    const asked = rig.calls.length;
    await rig.clock.pass(hour + minute);

    const delay = { why: "units", failure: { code: "quota_exceeded", until: at } };
    expect(first).toMatchObject({ state: "pending", item: { decision: { delay } } });
    expect([kept, asked]).toEqual([new Set(["pending"]), 0]);
    expect(await statuses(rig, refs)).toEqual(new Set(["approved"]));
    expect(rig.calls.length).toBe(3);
    const [entry] = await entriesOf(rig);
    expect(entry).toMatchObject({ act: "approved", answer: "done", by: ann });
    expect(entry?.settledAt).toBeGreaterThanOrEqual(at);
    expect((await rig.item(refs[0])).decisions?.count).toBe(1);
  });

  it("keeps them where the units end between the press and the sending", async () => {
    const { rig, process, refs } = await openQueue(120);
    rig.video.quota.exhaust("units");

    const [first] = await decide(process, refs);
    await rig.clock.pass(minute);

    expect(first?.item?.decision).not.toHaveProperty("delay");
    expect(await statuses(rig, refs)).toEqual(new Set(["pending"]));
    const { decision, revision } = await rig.item(refs[119] as ItemRef);
    expect(decision?.delay).toMatchObject({ why: "units", failure: { code: "quota_exceeded" } });
    expect(decision?.delay?.failure.until).toBeGreaterThan(rig.clock.now());
    // Their cards show it, which is one change more than the press.
    expect(revision).toBe(3);
  });

  it("keeps them over a restart", async () => {
    const { rig, pace, process, refs } = await openPoor(3);
    await decide(process, refs, "reject");
    await rig.clock.pass(minute);
    process.fence.kill();

    rig.process({ pace });
    await rig.clock.pass(2 * hour + 10 * minute);

    expect(await statuses(rig, refs)).toEqual(new Set(["rejected"]));
    expect(rig.calls).toMatchObject([{ kind: "rejected", ids: { length: 3 } }]);
  });

  it("lets people undo them meanwhile", async () => {
    const { rig, process, refs } = await openPoor(2);
    await decide(process, refs, "ban");
    await rig.clock.pass(hour);

    const undone = await process.decider.undo(refs[0], ann);
    await rig.clock.pass(2 * hour);

    expect(undone).toMatchObject({ state: "open", item: { status: "open" } });
    expect(rig.calls).toMatchObject([{ kind: "rejected+ban", ids: { length: 1 } }]);
  });

  it("keeps a review's decisions as one batch", async () => {
    const { rig, process, refs } = await openPoor(3);
    const dueAt = rig.clock.now() + 10 * minute;
    const batch = { userId: ann.userId, dueAt };
    await process.decider.decide({ items: refs, kind: "reject", by: ann, from: "review", dueAt });
    await rig.clock.pass(20 * minute);

    const { counts, dueAt: now } = await process.decider.hasten(batch);
    const back = await process.decider.undoBatch({ ...batch, dueAt: now }, ann);

    expect(counts).toEqual(new Map([["reject", 3]]));
    expect(back).toBe(3);
  });

  it("closes cards that need no call all the same", async () => {
    const { rig, process, refs } = await openPoor(2);
    const [held, shown] = refs;
    const { comment } = await rig.item(shown);
    await rig.change(shown, { comment: { ...comment, state: "published" } });

    await decide(process, [held, shown]);
    await rig.clock.pass(minute);

    expect(await rig.item(held)).toMatchObject({ status: "pending" });
    expect(await rig.item(shown)).toMatchObject({ status: "approved" });
  });

  it("is the share of others too, and nothing is asked of YouTube then", async () => {
    const rig = await openRig();
    const at = rig.clock.now() + 3_600_000;
    const process = rig.process({
      pace: { takeUnits: async () => ({ at }), findShortage: async () => undefined },
    });
    const refs = await rig.fill(3);

    await decide(process, refs);
    await rig.clock.pass(minute);

    expect(await rig.item(refs[0])).toMatchObject({
      status: "pending",
      decision: { delay: { why: "units", failure: { code: "units_shared", until: at } } },
    });
    expect(rig.calls).toEqual([]);
    expect(await entriesOf(rig)).toEqual([]);
  });

  it("is asked for each call, with what it costs", async () => {
    const rig = await openRig();
    const asked: unknown[] = [];
    const pace = {
      findShortage: async () => undefined,
      takeUnits: async (...given: unknown[]) => {
        asked.push(given);
        return undefined;
      },
    };
    const process = rig.process({ pace });

    await decide(process, await rig.fill(60));
    await rig.clock.pass(minute);

    const one = [guildId, rig.video.ownChannelId, 50];
    expect(asked).toEqual([one, one]);
  });

  it("has the channel's watches look at once where it concerns the whole channel", async () => {
    const rig = await openRig();
    const error = new ConnectError("gone", { code: "grant_gone" as string });
    let isLinked = false;
    const process = rig.process({
      video: async () => (isLinked ? rig.client : Promise.reject(error)),
    });
    const refs = await rig.fill(3);

    await decide(process, refs);
    await rig.clock.pass(minute);

    const polls = await rig.waiting("moderation.poll");
    expect(polls.map(({ key }) => key)).toEqual([`${guildId}:${rig.watch.id}`]);
    const delay = { why: "link", failure: { code: "grant_gone" } };
    expect((await rig.item(refs[0])).decision).toMatchObject({ delay });

    isLinked = true;
    await rig.clock.pass(6 * minute);
    expect(await statuses(rig, refs)).toEqual(new Set(["approved"]));
  });

  it("is told at the press where the last check met it", async () => {
    const { rig, process, refs } = await openQueue(1);
    await rig.records.watches.changeProgress(guildId, rig.watch.id, (progress) => ({
      ...progress,
      troubles: { link_broken: { since: rig.clock.now(), isTold: true } },
    }));

    const [pressed] = await decide(process, refs);
    await rig.clock.pass(minute);

    expect(pressed?.item?.decision?.delay).toMatchObject({ why: "link" });
    // The link works again, so the decision was sent.
    expect(await rig.item(refs[0])).toMatchObject({ status: "approved" });
  });

  it("gives decisions back after a week, and the log has the reason", async () => {
    const rig = await openRig();
    const error = new ConnectError("gone", { code: "grant_gone" as string });
    const process = rig.process({ video: async () => Promise.reject(error) });
    const refs = await rig.fill(1);

    await decide(process, refs);
    await rig.clock.pass(7 * 24 * hour + 10 * minute);

    const failure = { code: "grant_gone", kind: "approve" };
    expect(await rig.item(refs[0])).toMatchObject({ status: "open", failure });
    expect(await entriesOf(rig)).toMatchObject([{ act: "failed", answer: "grant_gone" }]);
  });

  it("is a fault of ours at worst, with a code to show", async () => {
    const rig = await openRig();
    const process = rig.process({
      video: async () => Promise.reject(new TypeError("not a function")),
    });
    const refs = await rig.fill(1);

    await decide(process, refs);
    await rig.clock.pass(minute);

    expect((await rig.item(refs[0])).decision?.delay?.failure.code).toBe("decision_failed");
    expect(rig.warnings.join()).toContain("not a function");
  });

  it("waits with them where it is the store that fails", async () => {
    const rig = await openRig();
    const error = new ServiceError("down", { code: "store_unavailable" });
    let isDown = true;
    const process = rig.process({
      video: async () => (isDown ? Promise.reject(error) : rig.client),
    });
    const refs = await rig.fill(2);

    await decide(process, refs);
    await rig.clock.pass(minute);
    expect(await statuses(rig, refs)).toEqual(new Set(["pending"]));
    isDown = false;
    await rig.clock.pass(2 * minute);

    expect(await statuses(rig, refs)).toEqual(new Set(["approved"]));
  });
});

describe("a process that has lost the job", () => {
  it("leaves decisions as they are: the process that has the job finds out what became of them", async () => {
    const rig = await openRig();
    const [ref] = await rig.fill(1);
    const call = () => Promise.reject(new LostError());
    const process = rig.process({ video: async () => ({ ...rig.client, call }) as VideoClient });

    await decide(process, [ref]);
    while ((await rig.item(ref)).status === "pending") await rig.clock.pass(100);

    const { status, decision } = await rig.item(ref);
    expect(status).toBe("sending");
    expect(decision?.unconfirmed).toBeUndefined();
    expect(rig.warnings.join()).not.toContain("decision");
  });
});

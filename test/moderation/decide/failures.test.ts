import { describe, expect, it } from "vitest";
import { ConnectError, ServiceError } from "../../../src/errors.ts";
import type { DecisionKind, ItemRef } from "../../../src/moderation/index.ts";
import { ann, entriesOf, guildId, openQueue, openRig, type Process, type Rig } from "./rig.ts";

const minute = 60_000;
const moderating = /setModerationStatus/;
const looking = /\/comment(s|Threads)\?/;

function decide({ decider }: Process, refs: readonly ItemRef[], kind: DecisionKind = "approve") {
  return decider.decide({ items: refs, kind, by: ann, from: "card" });
}

async function statuses(rig: Rig, refs: readonly ItemRef[]): Promise<ReadonlySet<string>> {
  return new Set((await Promise.all(refs.map(rig.item))).map(({ status }) => status));
}

/** Takes an item's comment for another one, which nobody knows. */
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

describe("a service in trouble", () => {
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
    "that fails for good gives back what was to be decided: %s",
    async (kind) => {
      const { rig, process, refs } = await openQueue(3);
      const isHeld = kind === "hold";
      rig.video.faults.add({ path: moderating, kind: "answer", status: 503 });

      await decide(process, refs, kind);
      await rig.clock.pass(minute);

      // They are held already, and that is all somebody wanted.
      expect(await statuses(rig, refs)).toEqual(new Set([isHeld ? "held" : "open"]));
      const failure = { code: "service_unavailable", kind };
      if (!isHeld) expect(await rig.item(refs[0])).toMatchObject({ failure });
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

  it("that stays silent about rejections is given up after some minutes", async () => {
    const { rig, process, refs } = await openQueue(2);
    rig.video.faults.add({ path: moderating, kind: "cut-after" });
    rig.video.faults.add({ path: looking, kind: "answer", status: 503 });

    await decide(process, refs, "reject");
    await rig.clock.pass(10 * minute);

    expect(await statuses(rig, refs)).toEqual(new Set(["open"]));
    expect((await rig.item(refs[0])).failure).toMatchObject({ code: "cut" });
  });
});

describe("what keeps all decisions from leaving", () => {
  it("puts them back with the time at which the units return", async () => {
    const { rig, process, refs } = await openQueue(120);
    rig.video.quota.exhaust("units");

    await decide(process, refs);
    await rig.clock.pass(minute);

    expect(await statuses(rig, refs)).toEqual(new Set(["open"]));
    const { failure } = await rig.item(refs[119] as ItemRef);
    expect(failure).toMatchObject({ code: "quota_exceeded", kind: "approve" });
    expect(failure?.until).toBeGreaterThan(rig.clock.now());
  });

  it("is the share of others too, and nothing is asked of the service then", async () => {
    const rig = await openRig();
    const at = rig.clock.now() + 3_600_000;
    const process = rig.process({ pace: { mayFlush: async () => ({ isGiven: false, at }) } });
    const refs = await rig.fill(3);

    await decide(process, refs);
    await rig.clock.pass(minute);

    expect(await rig.item(refs[0])).toMatchObject({
      status: "open",
      failure: { code: "units_shared", until: at },
    });
    expect(rig.calls).toEqual([]);
    expect(await entriesOf(rig)).toMatchObject([
      { act: "failed", answer: "units_shared", by: ann },
      { act: "failed" },
      { act: "failed" },
    ]);
  });

  it("is asked for each call, with what it costs", async () => {
    const rig = await openRig();
    const asked: unknown[] = [];
    const pace = {
      mayFlush: async (...given: unknown[]) => {
        asked.push(given);
        return { isGiven: true } as const;
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
    const process = rig.process({ video: async () => Promise.reject(error) });
    const refs = await rig.fill(3);

    await decide(process, refs);
    await rig.clock.pass(minute);

    const polls = await rig.waiting("moderation.poll");
    expect(polls.map(({ key }) => key)).toEqual([`${guildId}:${rig.watch.id}`]);
    expect((await rig.item(refs[0])).failure?.code).toBe("grant_gone");
  });

  it("is a fault of ours at worst, with a code to show", async () => {
    const rig = await openRig();
    const process = rig.process({
      video: async () => Promise.reject(new TypeError("not a function")),
    });
    const refs = await rig.fill(1);

    await decide(process, refs);
    await rig.clock.pass(minute);

    expect((await rig.item(refs[0])).failure?.code).toBe("decision_failed");
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

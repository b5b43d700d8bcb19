import { describe, expect, it } from "vitest";
import {
  createDecisionCounts,
  maxDailyDecisions,
} from "../../../src/moderation/decide/decision-counts.ts";
import type { ItemRef } from "../../../src/moderation/index.ts";
import { ann, openQueue, openRig, type Process, type Rig } from "./rig.ts";

const second = 1_000;
const hour = 3_600 * second;

/** Decides from the audit log, as people do when they change their minds; returns what became of the decision. */
async function turn(rig: Rig, { decider }: Process, ref: ItemRef, kind: "approve" | "hold") {
  const [decided] = await decider.decide({ items: [ref], kind, by: ann, from: "log" });
  await rig.clock.pass(30 * second);
  return decided;
}

/** Approves and holds in turn until that is refused; returns how often it was not. */
async function turnUntilRefused(rig: Rig, process: Process, ref: ItemRef): Promise<number> {
  for (let times = 0; ; times += 1) {
    const decided = await turn(rig, process, ref, times % 2 === 0 ? "approve" : "hold");
    if (decided?.state === "often") return times;
    if (decided?.state !== "pending" || times > 20) throw new Error(`${decided?.state}`);
  }
}

describe("deciding about one comment back and forth", () => {
  it("ends after some decisions, and says until when", async () => {
    const { rig, process, ref } = await openQueue(1);

    const times = await turnUntilRefused(rig, process, ref);
    const refused = await turn(rig, process, ref, "approve");

    expect(times).toBe(maxDailyDecisions);
    expect(rig.calls).toHaveLength(maxDailyDecisions);
    expect(refused).toMatchObject({
      state: "often",
      error: { code: "comment_decided_often", facts: { most: maxDailyDecisions } },
    });
    expect(refused?.error?.retryAt?.getTime()).toBeGreaterThan(rig.clock.now());
  });

  it("is bounded over restarts, and possible again on the next day", async () => {
    const rig = await openRig();
    const [ref] = await rig.fill(1);
    await turnUntilRefused(rig, rig.process(), ref);
    const next = rig.process();

    expect(await turn(rig, next, ref, "approve")).toMatchObject({ state: "often" });
    // No process works meanwhile.
    await next.jobs.close();
    await rig.clock.pass(25 * hour);
    const last = rig.process();
    expect(await turn(rig, last, ref, "approve")).toMatchObject({ state: "pending" });
  });

  it("counts what commands decide alike, on either way and after a restart", async () => {
    const rig = await openRig();
    const { source } = rig.watch;
    const [ref] = await rig.fill(1);
    const { id } = (await rig.item(ref)).comment;
    const one = rig.process();
    for (let times = 0; times < 3; times += 1) {
      expect((await one.decider.countDirectDecisions([id], source)).size).toBe(0);
    }

    expect(await turn(rig, one, ref, "approve")).toMatchObject({ state: "pending" });
    const other = rig.process();
    expect((await other.decider.countDirectDecisions([id], source)).size).toBe(0);
    expect((await other.decider.countDirectDecisions([id], source)).size).toBe(0);
    const refused = await other.decider.countDirectDecisions([id, "another"], source);
    expect([...refused]).toMatchObject([[id, { code: "comment_decided_often" }]]);
  });

  it("leaves one server's decisions out of another's", () => {
    const counts = createDecisionCounts(() => 0);
    const of = { guildId: "1", commentId: "c" };
    counts.note(of, { day: "1969-12-31", count: maxDailyDecisions });

    expect(counts.findError(of)).toBeDefined();
    expect(counts.findError({ ...of, guildId: "2" })).toBeUndefined();
  });

  it("forgets what was decided about longest ago, so that memory is bounded", () => {
    const counts = createDecisionCounts(() => 0);
    const full = { day: "1969-12-31", count: maxDailyDecisions };
    const of = (n: number) => ({ guildId: "1", commentId: `c${n}` });
    for (let n = 0; n <= 20_000; n += 1) counts.note(of(n), full);

    expect(counts.known(of(0))).toBeUndefined();
    expect(counts.known(of(1))).toEqual(full);
  });
});

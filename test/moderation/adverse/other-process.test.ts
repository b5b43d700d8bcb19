import { describe, expect, it } from "vitest";
import { ann, firstRef, hour, minute, openRig } from "../support/rig.ts";

const second = 1_000;

describe("what was pressed in a process that ended", () => {
  /** A comment's card, and another process than the one that posted it. */
  async function shown() {
    const rig = await openRig();
    rig.hold("Waits");
    await rig.process().watch();
    await rig.clock.pass(5 * second);
    const { server, fence } = rig.process();
    await rig.clock.pass(5 * second);
    return { rig, queue: server.queue, fence, ref: await firstRef(rig) };
  }

  it("comes back in time where it was put off", async () => {
    const { rig, queue, fence, ref } = await shown();
    await queue.snooze(ref, ann, rig.clock.now() + hour);
    fence.kill();

    await rig.clock.pass(hour + 15 * minute);

    expect((await rig.items())[0]).toMatchObject({ status: "open", card: { state: "posted" } });
  });

  it("is carried out where it was decided", async () => {
    const { rig, queue, fence, ref } = await shown();
    await queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    fence.kill();

    await rig.clock.pass(15 * minute);

    expect((await rig.items())[0]).toMatchObject({ status: "approved" });
  });
});

import { describe, expect, it } from "vitest";
import { ann, hour, minute, openRig } from "../support/rig.ts";

const second = 1_000;

describe("what was pressed in a process that ended", () => {
  it("comes back in time where it was put off", async () => {
    const rig = await openRig();
    rig.hold("For later");
    const watching = rig.process();
    const watch = await watching.watch();
    await rig.clock.pass(5 * second);
    const pressed = rig.process();
    await rig.clock.pass(5 * second);
    const [item] = await rig.items();
    const ref = { watchId: watch.id, itemId: item?.id ?? "" };
    await pressed.guild.queue.snooze(ref, ann, rig.clock.now() + hour);
    pressed.fence.kill();

    await rig.clock.pass(hour + 15 * minute);

    expect((await rig.items())[0]).toMatchObject({ status: "open", card: { state: "posted" } });
  });

  it("is carried out where it was decided", async () => {
    const rig = await openRig();
    rig.hold("Decided");
    const watching = rig.process();
    const watch = await watching.watch();
    await rig.clock.pass(5 * second);
    const pressed = rig.process();
    await rig.clock.pass(5 * second);
    const [item] = await rig.items();
    const ref = { watchId: watch.id, itemId: item?.id ?? "" };
    await pressed.guild.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    pressed.fence.kill();

    await rig.clock.pass(15 * minute);

    expect((await rig.items())[0]).toMatchObject({ status: "approved" });
  });
});

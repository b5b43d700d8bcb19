import { describe, expect, it } from "vitest";
import { cutOff } from "../support/recording-desk.ts";
import { hour, minute, openRig } from "../support/rig.ts";

describe("a watch", () => {
  it("shows what waits, with the video and who wrote it", async () => {
    const rig = await openRig();
    rig.hold("Is this thing on?", { author: "Milo Vane" });

    await rig.process().watch();

    const [card] = rig.desk.of("held-card");
    expect(rig.desk.messages).toHaveLength(1);
    expect(card?.message.facts).toMatchObject({
      item: {
        comment: { text: "Is this thing on?", authorName: "Milo Vane", state: "heldForReview" },
        video: { title: expect.any(String), thumbnailUrl: expect.stringContaining("http") },
        status: "open",
      },
      history: { seen: 1, approved: 0, rejected: 0 },
    });
  });

  it("shows a comment once, however often it is polled", async () => {
    const rig = await openRig();
    rig.hold("Once");
    await rig.process().watch();

    await rig.clock.pass(2 * hour);

    expect(rig.asked.length).toBeGreaterThan(20);
    expect(rig.desk.messages).toHaveLength(1);
    expect(rig.desk.calls).toMatchObject({ post: 1, edit: 0 });
  });
});

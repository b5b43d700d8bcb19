import { describe, expect, it } from "vitest";
import { useStage } from "../support/use-stage.ts";

const patient = { timeout: 20_000, interval: 20 };

describe.each([
  [
    "has no connection any more",
    [
      ["video-key", "Disconnect"],
      ["channel", "Disconnect"],
    ],
  ],
  ["is erased", [[undefined, "Erase everything"]]],
] as const)("a server that %s", (_, steps) => {
  const { stage, owner } = useStage();

  it("ends its subscriptions at the hub", async () => {
    const { hub, platform, video } = stage.sandbox;
    await owner.run("announce add", { uploads: platform.channelId, channel: video.ownChannelId });
    await expect.poll(() => hub.subscriptions.length, patient).toBe(1);

    for (const [what, label] of steps) {
      const command = what === undefined ? "connect erase" : "connect disconnect";
      await owner.click(await owner.run(command, what && { what }), label);
    }

    await expect.poll(() => hub.subscriptions.length, patient).toBe(0);
  });
});

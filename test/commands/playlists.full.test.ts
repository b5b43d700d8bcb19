import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import { asForm, asMessage, isEphemeral, textOf } from "../support/stage.ts";

describe("a list of playlists after a restart", () => {
  let platform: Platform;
  let video: VideoServer;
  let bot: SpawnedBot;
  beforeAll(async () => {
    [platform, video] = await Promise.all([startPlatform({ hasLimits: false }), startVideo()]);
    bot = await spawnBot({ platform, videoUrl: video.url });
  });
  afterAll(async () => {
    await bot.stop();
    await platform.close();
    await video.close();
  });

  it("goes on with the buttons of a list", async () => {
    const owner = platform.people("owner");
    const form = asForm(await owner.command("connect key"));
    await owner.submit(form, { key: video.key });
    const list = asMessage(await owner.command("playlists list", { channel: video.ownChannelId }));
    const exit = once(bot.child, "exit");
    bot.child.kill("SIGKILL");
    await exit;
    const { folder, masterKey } = bot;
    bot = await spawnBot({ platform, videoUrl: video.url, folder, masterKey });

    const videos = asMessage(await owner.click(list, "Show videos"));

    expect(textOf(videos)).toContain("[1. ");
    expect(isEphemeral(videos)).toBe(true);
  });
});

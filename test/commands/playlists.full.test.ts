import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { patiently } from "../support/patiently.ts";
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
    const form = asForm(await patiently(() => owner.command("connect key")));
    await patiently(() => owner.submit(form, { key: video.key }));
    const channel = video.ownChannelId;
    const list = asMessage(await patiently(() => owner.command("playlists list", { channel })));
    bot = await bot.restart();

    const videos = asMessage(await patiently(() => owner.click(list, "Show videos")));

    expect(textOf(videos)).toContain("[1. ");
    expect(isEphemeral(videos)).toBe(true);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { openStore } from "../../src/store/index.ts";
import { patiently } from "../support/patiently.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import { asForm, asMessage, isEphemeral, textOf } from "../support/stage.ts";

describe("a bot in a process of its own", () => {
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

  it("has the key that it acknowledged, after kill -9", async () => {
    const owner = platform.people("owner");
    const form = asForm(await patiently(() => owner.command("connect key")));
    const saved = asMessage(await patiently(() => owner.submit(form, { key: video.key })));
    bot = await bot.restart();

    const member = platform.people("member");
    const found = asMessage(await patiently(() => member.command("search", { query: "light" })));

    expect(textOf(saved)).toContain("is connected");
    expect(textOf(found)).toContain("Results for");
  });

  it("goes on with buttons from before kill -9", async () => {
    const member = platform.people("member");
    const first = asMessage(await patiently(() => member.command("search", { query: "light" })));
    bot = await bot.restart();

    const second = asMessage(await patiently(() => member.click(first, "Next")));
    const now = () => member.messages().find(({ id }) => id === second.id) ?? second;

    // A test is not told when a bot in another process is done.
    await expect.poll(() => textOf(now())).toContain("Page 2");
  });

  it("goes on with the buttons of a list of playlists", async () => {
    const owner = platform.people("owner");
    const channel = video.ownChannelId;
    const list = asMessage(await patiently(() => owner.command("playlists list", { channel })));
    bot = await bot.restart();

    const videos = asMessage(await patiently(() => owner.click(list, "Show videos")));

    expect(textOf(videos)).toContain("[1. ");
    expect(isEphemeral(videos)).toBe(true);
  });

  it("answers what is under way before it ends on SIGTERM", async () => {
    const fault = { kind: "delay", delayMs: 1500, path: /\/search/u, times: 1 } as const;
    const { met } = video.faults.add(fault);
    const running = platform.people("member").command("search", { query: "camera" });
    await met;

    const code = await bot.stop({ keep: true });
    const answer = asMessage(await running);
    bot = await bot.restart();

    expect(code).toBe(0);
    expect(textOf(answer)).toContain("Results for");
  });

  it("tells the person when a shutdown can't wait for the service", async () => {
    const fault = { kind: "delay", delayMs: 30_000, path: /\/search/u, times: 1 } as const;
    const { met } = video.faults.add(fault);
    const running = platform.people("member").command("search", { query: "camera" });
    await met;

    await bot.stop({ keep: true });
    const answer = asMessage(await running);
    bot = await bot.restart();

    expect(textOf(answer)).toContain("is restarting");
  });

  it("asks for no intents", () => {
    expect(platform.gateway.intents()).toEqual([0]);
  });

  it("erases what it knew of a server that removed it while it was away", async () => {
    const { folder, masterKey } = bot;
    await bot.stop({ keep: true });
    platform.removeGuild(platform.guildId);
    bot = await bot.restart();

    const keys = [{ id: "main", key: Buffer.from(masterKey, "base64") }];
    const store = await openStore({ url: `sqlite:${folder}/bot.sqlite`, keys });
    const read = () => store.credentials.read(platform.guildId, "video-key");
    await expect.poll(read).toEqual({ state: "absent" });
    await store.close();
  });
});

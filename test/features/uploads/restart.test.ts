import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bot, startBot } from "../../../src/bot.ts";
import { readConfig } from "../../../src/config.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { startBackground } from "../../../src/sandbox/background/index.ts";
import { connect, listAccounts } from "../../../src/sandbox/connect.ts";
import { startOAuth } from "../../../src/sandbox/oauth/index.ts";
import { startPlatform } from "../../../src/sandbox/platform/index.ts";
import { startVideo } from "../../../src/sandbox/video/index.ts";
import { film } from "../../commands/files.ts";
import { asForm, asMessage, offered, textOf } from "../../support/stage.ts";

type Stand<T extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>;

describe("a question about a video, after the bot was restarted", () => {
  let platform: Stand<typeof startPlatform>;
  let video: Stand<typeof startVideo>;
  let oauth: Stand<typeof startOAuth>;
  let background: Stand<typeof startBackground>;
  let folder: string;
  let bot: Bot;
  const masterKey = randomBytes(32).toString("base64");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "greenroom-restart-"));
    video = await startVideo({ identify: (token) => oauth.identify(token) });
    [background, oauth, platform] = await Promise.all([
      startBackground({}),
      startOAuth({ accounts: listAccounts(video) }),
      startPlatform(),
    ]);
    bot = await start(true);
  });
  afterAll(async () => {
    await bot.close();
    await Promise.all([platform, video, oauth, background].map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
  });

  async function start(isFirst: boolean): Promise<Bot> {
    const config = readConfig({
      DISCORD_TOKEN: platform.token,
      HEALTH_PORT: "0",
      DISCORD_API_URL: `${platform.url}/api`,
      VIDEO_API_URL: video.url,
      VIDEO_UPLOAD_URL: video.uploadUrl,
      BACKGROUND_API_URL: background.url,
      OAUTH_CLIENT_ID: oauth.clientId,
      OAUTH_CLIENT_SECRET: oauth.clientSecret,
      OAUTH_TOKEN_URL: oauth.tokenUrl,
      STORE_URL: `sqlite:${join(folder, "bot.sqlite")}`,
      SECRET_KEYS: `main:${masterKey}`,
    });
    const secrets = createSecrets();
    const log = createLog({ level: "warn", secrets, write: () => {} });
    const connection = {
      guildId: platform.guildId,
      addedBy: platform.ownerId,
      addedAt: Date.now(),
      oauth,
      video,
      background,
    };
    const started = await startBot(config, {
      log,
      secrets,
      onStore: async ({ credentials }) => {
        if (isFirst) await connect({ ...connection, credentials });
      },
    });
    platform.useSettled(started.settled);
    return started;
  }

  async function restart(): Promise<void> {
    await bot.close();
    bot = await start(false);
  }

  const owner = () => platform.people("owner");

  async function ownVideo(title: string): Promise<string> {
    const choices = await offered(owner(), "videos show", "video", title);
    return String(choices[0]?.value);
  }

  it("still deletes when its button is pressed", async () => {
    const id = await ownVideo("Cheap softbox");
    const question = asMessage(await owner().command("videos delete", { video: id }));

    await restart();
    const done = asMessage(await owner().click(question, "Delete permanently"));
    const shown = asMessage(await owner().command("videos show", { video: id }));

    expect(textOf(done)).toContain("was permanently deleted");
    expect(textOf(shown)).toContain("Video not found");
  });

  it("still uploads its file", async () => {
    const data = Buffer.from("1\n00:00:00,000 --> 00:00:02,000\nHi\n");
    const question = asMessage(
      await owner().command("videos upload", {
        video: film(40_000),
        title: "Snooze",
        captions: { name: "a.srt", type: "text/plain", data },
        captions_language: "de",
      }),
    );

    await restart();
    const done = asMessage(await owner().click(question, "Upload"));

    expect(textOf(done)).toContain("Video uploaded");
    expect(video.uploads.filter(({ method }) => method === "videos.insert")).toHaveLength(1);
  });

  it("still accepts the form that was open", async () => {
    const form = asForm(await owner().command("videos upload", { video: film(40_000) }));

    await restart();
    const question = asMessage(await owner().submit(form, { title: "From before" }));
    await restart();
    const done = asMessage(await owner().click(question, "Upload"));

    expect(textOf(done)).toContain("Video uploaded");
  });
});

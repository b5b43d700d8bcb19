import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, listAccounts } from "../../src/sandbox/connect.ts";
import { type OAuthServer, startOAuth } from "../../src/sandbox/oauth/index.ts";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { openStore } from "../../src/store/index.ts";
import { patiently } from "../support/patiently.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import { asMessage, textOf } from "../support/stage.ts";

describe("held comments after a restart", () => {
  let platform: Platform;
  let video: VideoServer;
  let oauth: OAuthServer;
  let bot: SpawnedBot;
  const folder = mkdtempSync(join(tmpdir(), "greenroom-comments-"));
  const masterKey = Buffer.alloc(32, 7).toString("base64");

  beforeAll(async () => {
    platform = await startPlatform({ hasLimits: false });
    video = await startVideo({ identify: (token) => oauth.identify(token) });
    oauth = await startOAuth({ accounts: listAccounts(video) });
    const keys = [{ id: "main", key: Buffer.from(masterKey, "base64") }];
    const store = await openStore({ url: `sqlite:${join(folder, "bot.sqlite")}`, keys });
    const { credentials } = store;
    const background = { key: "none" } as Parameters<typeof connect>[0]["background"];
    const by = { addedBy: platform.ownerId, addedAt: Date.now() };
    await connect({ guildId: platform.guildId, credentials, oauth, video, background, ...by });
    await store.close();
    const env = {
      OAUTH_CLIENT_ID: oauth.clientId,
      OAUTH_CLIENT_SECRET: oauth.clientSecret,
      OAUTH_TOKEN_URL: oauth.tokenUrl,
    };
    bot = await spawnBot({ platform, videoUrl: video.url, folder, masterKey, env });
  });
  afterAll(async () => {
    await bot.stop();
    await Promise.all([platform.close(), video.close(), oauth.close()]);
  });

  it("goes on with what was chosen of the held comments", async () => {
    const moderator = platform.people("moderator");
    const { id } = video.addComment({ text: "outlive me", status: "heldForReview" });
    const page = asMessage(await patiently(() => moderator.command("comments held")));
    const chosen = asMessage(await patiently(() => moderator.choose(page, [id])));
    bot = await bot.restart();

    await patiently(() => moderator.click(chosen, "Approve"));
    // A test is not told when a bot in another process is done.
    const shown = () => moderator.messages().find((message) => message.id === chosen.id);

    await expect.poll(() => textOf(shown() ?? chosen)).toContain("Comment approved");
  });
});

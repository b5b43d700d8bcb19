import { describe, expect, it, onTestFinished } from "vitest";
import { ConnectError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import { createChannelTokens } from "../../src/oauth/index.ts";
import { listAccounts } from "../../src/sandbox/connect.ts";
import { startOAuth } from "../../src/sandbox/oauth/index.ts";
import { startVideo } from "../../src/sandbox/video/index.ts";
import { openStore } from "../../src/store/index.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { expectFailure, guild } from "./stage.ts";

/** A video client that acts for a linked channel, with stand-ins for YouTube and Google's OAuth. */
async function stage() {
  const video = await startVideo({ identify: (token) => oauth.identify(token) });
  const oauth = await startOAuth({ accounts: listAccounts(video) });
  const http = createHttp();
  const store = await openStore({
    url: "sqlite::memory:",
    keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
  });
  const secrets: string[] = [];
  const tokens = createChannelTokens({
    http,
    credentials: store.credentials,
    now: Date.now,
    accessTokens: store.accessTokens,
    database: store.database,
    tokenUrl: oauth.tokenUrl,
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    onSecret: (secret) => secrets.push(secret),
  });
  onTestFinished(async () => {
    await tokens.close();
    await Promise.all([http.close(), store.close(), oauth.close(), video.close()]);
  });
  const { refreshToken } = oauth.mint({ channelId: video.ownChannelId });
  const facts = { addedBy: "333333333333333333", addedAt: 0 };
  const channelId = video.ownChannelId;
  const channel = { kind: "channel", channelId, secret: refreshToken } as const;
  await store.credentials.write(guild, { ...facts, ...channel });
  const client = createVideoClient({ baseUrl: video.url, token: tokens.of(guild), http });
  const ownIds = async () => {
    const { items = [] } = await client.call("channels.list", { part: ["id"], mine: true });
    return items.map(({ id }) => id);
  };
  return { video, oauth, secrets, refreshToken, ownIds };
}

describe("a video client with a linked channel", () => {
  it("acts as that channel, through the end of every token", async () => {
    const { video, oauth, secrets, ownIds } = await stage();

    const answers = [];
    for (let round = 0; round < 3; round += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 30 }, ownIds))).flat());
      oauth.expireAll();
    }

    expect(new Set(answers)).toEqual(new Set([video.ownChannelId]));
    expect(answers).toHaveLength(90);
    expect(new Set(secrets).size).toBe(3);
  });

  it("says that the consent is over once the service says so", async () => {
    const { oauth, refreshToken, ownIds } = await stage();
    await ownIds();
    oauth.expire(refreshToken);
    oauth.expireAll();

    await expectFailure(ownIds(), ConnectError, "invalid_grant");
  });
});

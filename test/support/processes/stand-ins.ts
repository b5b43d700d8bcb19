import { randomBytes } from "node:crypto";
import { startBackground } from "../../../src/sandbox/background/index.ts";
import { describeAddresses, listAccounts } from "../../../src/sandbox/connect.ts";
import { type OAuthServer, startOAuth } from "../../../src/sandbox/oauth/index.ts";
import { startPlatform } from "../../../src/sandbox/platform/index.ts";
import { startVideo } from "../../../src/sandbox/video/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { readCreditsLeft } from "../read-credits-left.ts";

/** Stand-ins for everything that the bot's processes talk to. They run in the test's process. */
export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

const credits = 1_000_000;
const channelToken = "token-of-the-test";

export async function startStandIns() {
  const identify: OAuthServer["identify"] = (token) =>
    token === channelToken
      ? { channelId: video.ownChannelId, scopes: ["youtube.force-ssl"] }
      : oauth.identify(token);
  const [platform, video, background] = await Promise.all([
    // If nothing answers a request with a false signature, Discord removes the endpoint's address; so none are sent.
    startPlatform({ hasLimits: false, falseSignatures: 0 }),
    startVideo({ identify }),
    startBackground({ credits, matting: "ellipse", megapixelsPerMinute: Number.POSITIVE_INFINITY }),
  ]);
  const oauth: OAuthServer = await startOAuth({ accounts: listAccounts(video) });
  // A campaign spends more than a day's quota. The stand-in lets it; staying within the quota is up to the bot.
  Object.assign(video.quota, { spend: () => undefined });
  const masterKey = randomBytes(32).toString("base64");

  return {
    platform,
    video,
    background,
    masterKey,
    /** The environment variables with their addresses, without the database. */
    env: {
      DISCORD_TOKEN: platform.token,
      DISCORD_API_URL: `${platform.url}/api`,
      SECRET_KEYS: `main:${masterKey}`,
      ...describeAddresses({ video, background, oauth }),
      SHARED_DAILY_UNITS: "99999999",
      GUILD_DAILY_UNITS: "9999999",
    },
    /** Links the server's channel and stores its remove.bg key, in a database that already has its tables. */
    async connect(storeUrl: string) {
      const keys = [{ id: "main", key: Buffer.from(masterKey, "base64") }];
      const store = await openStore({ url: storeUrl, keys });
      const added = { addedBy: platform.ownerId, addedAt: Date.now() };
      const { ownChannelId: channelId } = video;
      const { refreshToken, scopes } = oauth.mint({ channelId });
      const channel = { channelId, channelTitle: "Own", scopes, secret: refreshToken };
      const { guildId } = platform;
      await store.credentials.write(guildId, { ...added, kind: "channel", ...channel });
      const secret = background.key;
      await store.credentials.write(guildId, { ...added, kind: "background-key", secret });
      await store.close();
    },
    /** Every item of one of YouTube's lists, as the channel sees it. */
    async readList<T>(path: string) {
      const all: T[] = [];
      for (let page: string | undefined = ""; page !== undefined; ) {
        const url = `${video.url}/${path}${page === "" ? "" : `&pageToken=${page}`}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${channelToken}` } });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        const list = (await response.json()) as ListPage<T>;
        all.push(...list.items);
        page = list.nextPageToken;
      }
      return all;
    },
    /** The credits that remove.bg has charged so far. */
    creditsSpent: async () => credits - (await readCreditsLeft(background)),
    async close() {
      await Promise.all([platform.close(), video.close(), background.close(), oauth.close()]);
    },
  };
}

interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextPageToken?: string;
}

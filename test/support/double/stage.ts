import { randomBytes } from "node:crypto";
import { startBackground } from "../../../src/sandbox/background/index.ts";
import { connect, describeAddresses, listAccounts } from "../../../src/sandbox/connect.ts";
import { startHub } from "../../../src/sandbox/hub/index.ts";
import { type OAuthServer, startOAuth } from "../../../src/sandbox/oauth/index.ts";
import { startPlatform } from "../../../src/sandbox/platform/index.ts";
import { type SeenRequest, startVideo } from "../../../src/sandbox/video/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { postgres } from "../databases/kinds.ts";
import { type SpawnedBot, spawnBot } from "../spawn-bot.ts";

/** Bots in processes of their own that all receive every event, in a server with everything connected. */
export type DoubleStage = Awaited<ReturnType<typeof openDoubleStage>>;

export async function openDoubleStage(processes: number, random: () => number) {
  const seen: SeenRequest[] = [];
  const identify: OAuthServer["identify"] = (token) => oauth.identify(token);
  const [video, background, hub, platform] = await Promise.all([
    startVideo({ identify, onRequest: (request) => seen.push(request) }),
    startBackground({
      matting: "ellipse",
      remembers: true,
      credits: 1_000_000,
      megapixelsPerMinute: Number.POSITIVE_INFINITY,
    }),
    startHub(),
    startPlatform({ hasLimits: false, random }),
  ]);
  const oauth = await startOAuth({ accounts: listAccounts(video) });
  // A campaign has far more commands than a day's quota allows.
  Object.assign(video.quota, { spend: () => undefined });
  const kind = postgres();
  const { url, query } = await kind.fresh();
  const masterKey = randomBytes(32).toString("base64");
  const bots: SpawnedBot[] = [];

  async function fill(): Promise<void> {
    const keys = [{ id: "main", key: Buffer.from(masterKey, "base64") }];
    const { credentials, close } = await openStore({ url, keys });
    const owned = { addedBy: platform.ownerId, addedAt: Date.now() };
    const { guildId } = platform;
    await connect({ guildId, credentials, oauth, video, background, ...owned });
    await close();
  }

  const close = async () => {
    await Promise.all(bots.map((bot) => bot.stop()));
    await Promise.all([platform, video, background, oauth, hub].map((one) => one.close()));
    await kind.stop();
  };
  const env = {
    STORE_URL: url,
    ...describeAddresses({ video, background, oauth, hub }),
    SHARED_DAILY_UNITS: "100000000",
    GUILD_DAILY_UNITS: "9999999",
  };
  try {
    await fill();
    const start = async () => bots.push(await spawnBot({ platform, masterKey, env }));
    const starts = await Promise.allSettled(Array.from({ length: processes }, start));
    const failed = starts.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } catch (error) {
    await close();
    throw error;
  }
  return { platform, video, background, oauth, seen, query, bots, close };
}

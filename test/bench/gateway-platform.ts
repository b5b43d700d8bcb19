/**
 * Discord for `gateway-servers.ts`, in a process of its own so that its memory is not the bot's: 100,000 servers, and 20
 * interactions a second for servers whose shard is up. Reports over the parent's channel.
 */
import { randomBytes } from "node:crypto";
import { startPlatform } from "../../src/sandbox/platform/index.ts";

/** What the sandbox's Discord saw, in reply to `stop`. */
export interface GatewayReport {
  readonly ready: number;
  readonly refusedIdentifies: number;
  readonly sent: number;
  readonly acknowledged: number;
  /** Longest time from sending an interaction to its acknowledgement. */
  readonly longestMs: number;
  /** Wall-clock times; undefined as long as it has not happened. */
  readonly firstAcknowledgedAt: number | undefined;
  readonly allReadyAt: number | undefined;
}

const [servers = 0, shards = 1, maxConcurrency = 1] = process.argv.slice(2).map(Number);
const deadlineMs = 3_000;
const sentAt = new Map<string, number>();
const guildIds: string[] = [];
const seen = { ready: 0, refusedIdentifies: 0, acknowledged: 0, longestMs: 0 };
let firstAcknowledgedAt: number | undefined;
let allReadyAt: number | undefined;

const platform = await startPlatform({
  extraGuilds: servers - 1,
  hasLimits: false,
  logins: { shards, maxConcurrency },
  onGatewayEvent({ name, data }) {
    if (name !== "READY") return;
    const { guilds } = data as { readonly guilds: readonly { readonly id: string }[] };
    seen.ready += 1;
    guildIds.push(guilds[0]?.id ?? platform.guildId);
    if (seen.ready === shards) allReadyAt = Date.now();
  },
  onExchange({ path }) {
    const [, id = ""] = /\/interactions\/(\d+)\/[^/]+\/callback/u.exec(path) ?? [];
    const at = sentAt.get(id);
    if (at === undefined) return;
    sentAt.delete(id);
    seen.acknowledged += 1;
    seen.longestMs = Math.max(seen.longestMs, performance.now() - at);
    firstAcknowledgedAt ??= Date.now();
  },
});

let count = 0;
const sending = setInterval(() => {
  const guildId = guildIds[count % guildIds.length];
  if (guildId === undefined) return;
  count += 1;
  const id = String((BigInt(Date.now()) << 22n) + BigInt(count));
  sentAt.set(id, performance.now());
  platform.gateway.dispatch("INTERACTION_CREATE", interaction(id, guildId), guildId);
}, 50);

process.on("message", async (request) => {
  if (request === "stop") {
    // The last interactions have their three seconds too.
    clearInterval(sending);
    setTimeout(report, deadlineMs);
  } else process.exit();
});
process.on("disconnect", () => process.exit());
process.send?.({ url: platform.url, token: platform.token, guildId: platform.guildId });

function report(): void {
  const answer = { ...seen, sent: count, firstAcknowledgedAt, allReadyAt };
  process.send?.(answer satisfies GatewayReport);
}

function interaction(id: string, guildId: string): object {
  const member = { user: { id: "3".repeat(18), username: "mira" }, roles: [], permissions: "8" };
  return {
    id,
    application_id: platform.applicationId,
    type: 2,
    version: 1,
    locale: "en-US",
    token: randomBytes(16).toString("hex"),
    guild_id: guildId,
    member,
    channel_id: platform.channelId,
    app_permissions: "8",
    attachment_size_limit: 10_485_760,
    data: { id: "4", name: "regions", type: 1, options: [{ name: "list", type: 1, options: [] }] },
  };
}

import {
  type Credential,
  type LinkedChannelChange,
  type Store,
  storedIn,
} from "../../store/index.ts";
import type { VideoClient } from "../../video/index.ts";
import { coversMethod } from "./channel-scopes.ts";
import type { VideoAccess } from "./clients.ts";
import { readLinkedChannels, withoutSecret } from "./credentials.ts";
import type { GuildCredentials } from "./ctx.ts";

interface GuildCredentialsDeps {
  readonly guildId: string;
  readonly userId: string;
  readonly store: Pick<Store, "credentials" | "accessTokens" | "revocations" | "database">;
  readonly now: () => number;
  /** Its calls are counted on behalf of the interaction. */
  readonly clientOf: (access: VideoAccess) => VideoClient;
}

/** The credentials of one guild, for one person's interaction. */
export function createGuildCredentials(deps: GuildCredentialsDeps): GuildCredentials {
  const { guildId, userId, store, now } = deps;
  const { credentials } = store;
  return {
    facts: async (kind) => {
      const found = storedIn(await credentials.read(guildId, kind));
      return found && withoutSecret(found);
    },
    channels: async () => (await readLinkedChannels(guildId, credentials)).map(withoutSecret),
    freshChannels: async (olderThanMs, signal) => {
      const all = await readLinkedChannels(guildId, credentials);
      const fresh = await Promise.all(
        all.map((one) =>
          isStale(one, olderThanMs, now()) ? renewed(deps, one, signal).catch(() => one) : one,
        ),
      );
      return fresh.map(withoutSecret);
    },
    changeChannel: (channelId, change) => credentials.changeChannel(guildId, channelId, change),
    chooseDefault: (channelId) => credentials.chooseDefault(guildId, channelId),
    write: (kind, secret) =>
      credentials.write(guildId, { kind, secret, addedBy: userId, addedAt: now() }),
    remove: async (kind, channelId) => {
      if (kind !== "channel") return credentials.remove(guildId, kind);
      const all = await readLinkedChannels(guildId, credentials);
      const ids = channelId === undefined ? all.flatMap((one) => one.channelId ?? []) : [channelId];
      let isRemoved = false;
      for (const id of ids) isRemoved = (await removeChannel(deps, id)) || isRemoved;
      await store.database.wipe();
      return isRemoved;
    },
  };
}

function isStale(
  { titleReadAt, brokenAt, endsAt }: Credential,
  olderThanMs: number,
  now: number,
): boolean {
  const isUsable = brokenAt === undefined && (endsAt ?? Number.POSITIVE_INFINITY) > now;
  return isUsable && now - (titleReadAt ?? 0) > olderThanMs;
}

/** The channel with its current title. */
async function renewed(
  { guildId, store, now, clientOf }: GuildCredentialsDeps,
  channel: Credential,
  signal: AbortSignal,
): Promise<Credential> {
  const { channelId, scopes } = channel;
  if (channelId === undefined || !coversMethod("channels.list", scopes)) return channel;
  const client = clientOf({ channelOf: guildId, channelId });
  const params = { part: ["snippet"], mine: true } as const;
  const { items } = await client.call("channels.list", params, { signal });
  const channelTitle = items.find(({ id }) => id === channelId)?.snippet?.title;
  if (channelTitle === undefined) return channel;
  const change: LinkedChannelChange = { channelTitle, titleReadAt: now() };
  await store.credentials.changeChannel(guildId, channelId, change);
  return { ...channel, channelTitle, titleReadAt: now() };
}

/** The consent that is stored then is queued to be ended, in the same transaction that removes its link. */
async function removeChannel(
  { guildId, store, now }: GuildCredentialsDeps,
  channelId: string,
): Promise<boolean> {
  const { credentials, accessTokens, revocations } = store;
  return store.database.transaction(async () => {
    const removed = await credentials.takeChannel(guildId, channelId);
    if (removed === undefined) return false;
    const { secret, grant, endsAt } = removed;
    const isOver = grant === "access" && (endsAt ?? 0) <= now();
    if (!isOver) await revocations.add(secret, { channelId });
    await accessTokens.remove(guildId, channelId);
    return true;
  });
}

import {
  type Credential,
  type CredentialFacts,
  type CredentialKind,
  type LinkedChannelChange,
  type Store,
  storedIn,
} from "../../store/index.ts";
import type { VideoClient } from "../../video/index.ts";
import { coversMethod } from "./channel-scopes.ts";
import type { VideoAccess } from "./clients.ts";
import { readLinkedChannels, withoutSecret } from "./credentials.ts";

interface ServerCredentialsDeps {
  readonly guildId: string;
  readonly userId: string;
  readonly store: Pick<Store, "credentials" | "accessTokens" | "revocations" | "database">;
  readonly now: () => number;
  /** Its calls are counted on behalf of the interaction. */
  readonly clientOf: (access: VideoAccess) => VideoClient;
}

/** Every method throws ServiceError `store_unavailable`. */
export type ServerCredentials = ReturnType<typeof createServerCredentials>;

/** The credentials of one server, for one person's interaction. */
export function createServerCredentials(deps: ServerCredentialsDeps) {
  const { guildId, userId, store, now } = deps;
  const { credentials } = store;
  return {
    /** Undefined when there is none; for `channel`, those of the default channel. */
    facts: async (kind: CredentialKind): Promise<CredentialFacts | undefined> => {
      const found = storedIn(await credentials.read(guildId, kind));
      return found && withoutSecret(found);
    },
    /** Every linked channel, the default first. */
    channels: async () => (await readLinkedChannels(guildId, credentials)).map(withoutSecret),
    /** The same; titles that were read longer ago are read again, for one unit each, where that works. */
    freshChannels: async (olderThanMs: number, signal: AbortSignal) => {
      const all = await readLinkedChannels(guildId, credentials);
      const fresh = await Promise.all(
        all.map((one) => {
          const { titleReadAt = 0, brokenAt, endsAt = Number.POSITIVE_INFINITY } = one;
          const isUsable = brokenAt === undefined && endsAt > now();
          const isStale = now() - titleReadAt > olderThanMs;
          return isUsable && isStale ? renewTitle(deps, one, signal).catch(() => one) : one;
        }),
      );
      return fresh.map(withoutSecret);
    },
    /** Answers whether that channel is linked. */
    changeChannel: (channelId: string, change: LinkedChannelChange) =>
      credentials.changeChannel(guildId, channelId, change),
    /** Answers whether that channel is linked. */
    chooseDefault: (channelId: string) => credentials.chooseDefault(guildId, channelId),
    write: (
      kind: Exclude<CredentialKind, "channel">,
      access: Pick<Credential, "secret" | "engine" | "address">,
    ) => credentials.write(guildId, { kind, ...access, addedBy: userId, addedAt: now() }),
    /**
     * Removes a credential: of linked channels one, or all of them without an id. Their consents are ended at YouTube too,
     * unless a channel is linked elsewhere. Returns whether there was one.
     */
    remove: async (kind: CredentialKind, channelId?: string): Promise<boolean> => {
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

/** The channel with its current title. */
async function renewTitle(
  { guildId, store, now, clientOf }: ServerCredentialsDeps,
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
  { guildId, store, now }: ServerCredentialsDeps,
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

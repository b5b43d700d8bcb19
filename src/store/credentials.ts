import { checkGuildId } from "../database/index.ts";
import { InputError } from "../errors.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import type { ChannelChange, Credential, CredentialKind } from "./credential-types.ts";
import { answer, change } from "./failure.ts";
import { createLinkedChannels } from "./linked-channels.ts";
import type { ServerRecordAt } from "./records.ts";
import { type Context, isUnreadable, open, seal } from "./seal.ts";

/** More than anybody has, and one card can still show them. */
const mostChannels = 20;

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * Credentials by guild and kind, sealed with AES-256-GCM: guild, kind and field are bound in, so a row moved to another
 * guild does not open. The whole record is sealed, so that who entered it can't be forged either. All linked channels of a
 * guild are one record, so that their order, the default first, changes with them.
 */
export function createCredentials({ records, keyring, onSecret }: SealedRecordsDeps) {
  const { database } = records;
  const linked = createLinkedChannels(database);

  function opened(guildId: string, kind: CredentialKind, sealed: unknown): readonly Credential[] {
    if (sealed === undefined) return [];
    const stored = JSON.parse(open(keyring, credentialContext(guildId, kind), String(sealed)));
    const all: readonly Credential[] = stored.channels ?? [stored];
    for (const { secret } of all) onSecret(secret);
    return all;
  }

  async function read(guildId: string, kind: CredentialKind): Promise<readonly Credential[]> {
    return opened(guildId, kind, await records.get(recordAt(guildId, kind)));
  }

  /** Replaces the channels by what is made of them; their record goes with the last. */
  async function changeChannels(
    guildId: string,
    make: (channels: readonly Credential[]) => readonly Credential[],
  ): Promise<void> {
    await database.transaction(async () => {
      let channels: readonly Credential[] | undefined;
      await records.change(recordAt(guildId, "channel"), (sealed) => {
        const before = opened(guildId, "channel", sealed);
        const after = make(before);
        if (after === before) return sealed;
        channels = after;
        if (after.length === 0) return undefined;
        const text = JSON.stringify({ channels });
        return seal(keyring, credentialContext(guildId, "channel"), text);
      });
      if (channels !== undefined) await linked.replace(guildId, channels);
    });
  }

  async function writeKey(guildId: string, credential: Credential): Promise<void> {
    const { kind, secret, addedBy, addedAt } = credential;
    const text = JSON.stringify({ kind, secret, addedBy, addedAt });
    const sealed = seal(keyring, credentialContext(guildId, kind), text);
    await records.set(recordAt(guildId, kind), sealed);
  }

  /** Answers whether there was one to change. */
  async function changeOne(
    guildId: string,
    channelId: string,
    make: (one: Credential, others: readonly Credential[]) => readonly Credential[],
  ): Promise<boolean> {
    let isThere = false;
    await changeChannels(guildId, (channels) => {
      const one = channels.find((channel) => channel.channelId === channelId);
      isThere = one !== undefined;
      return one === undefined ? channels : make(one, channels);
    });
    return isThere;
  }

  /** Those that open or not: what holds no channels any more is linked nowhere. */
  async function removeAll(guildId: string, kind: CredentialKind): Promise<boolean> {
    return database.transaction(async () => {
      if (kind === "channel") await linked.replace(guildId, []);
      return records.remove(recordAt(guildId, kind));
    });
  }

  async function dropTitlesOf(guildId: string, readBefore: number): Promise<number> {
    let dropped = 0;
    try {
      await changeChannels(guildId, (channels) => {
        dropped = channels.filter((one) => isStale(one, readBefore)).length;
        return channels.map((one) => (isStale(one, readBefore) ? changed(one, untitled) : one));
      });
      return dropped;
    } catch (error) {
      // A row that does not open tells nobody anything, and must not keep the others from their turn.
      if (isUnreadable(error)) return 0;
      throw error;
    }
  }

  return {
    /** Of the linked channels that one, or the server's default. */
    read: (guildId: string, kind: CredentialKind, channelId?: string) =>
      answer(async () => {
        const all = await read(guildId, kind);
        return channelId === undefined ? all[0] : all.find((one) => one.channelId === channelId);
      }),
    /** Every linked channel, the default first; absent when there is none. */
    channels: (guildId: string) =>
      answer(async () => {
        const all = await read(guildId, "channel");
        return all.length === 0 ? undefined : all;
      }),
    /**
     * A linked channel stands beside the others, or replaces itself; the first one is the default.
     * @throws ServiceError `store_unavailable`; InputError `too_many_channels`; nothing is changed then.
     */
    write: (guildId: string, credential: Credential) =>
      change(async () => {
        onSecret(credential.secret);
        if (credential.kind !== "channel") return writeKey(guildId, credential);
        await changeChannels(guildId, (channels) => placed(channels, credential));
      }),
    /**
     * Answers whether that channel is linked and, as it is at that moment, was to be changed.
     * @throws ServiceError `store_unavailable`.
     */
    changeChannel: (
      guildId: string,
      channelId: string,
      asked: ChannelChange,
      when: (current: Credential) => boolean = () => true,
    ) =>
      change(async () => {
        let isChanged = false;
        const isThere = await changeOne(guildId, channelId, (one, channels) => {
          isChanged = when(one);
          if (!isChanged) return channels;
          return channels.map((channel) => (channel === one ? changed(one, asked) : channel));
        });
        return isThere && isChanged;
      }),
    /** Answers whether that channel is linked. @throws ServiceError `store_unavailable`. */
    chooseDefault: (guildId: string, channelId: string) =>
      change(() =>
        changeOne(guildId, channelId, (one, channels) => [
          one,
          ...channels.filter((channel) => channel !== one),
        ]),
      ),
    /** Which servers have linked a channel, those whose link works first; at most 100. @throws ServiceError `store_unavailable`. */
    holdersOf: (channelId: string) => change(() => linked.holdersOf(channelId)),
    /**
     * Forgets what linked channels are called, where that was read before then; answers of how many. The names that
     * servers gave them stay. @throws ServiceError `store_unavailable`.
     */
    dropTitles: (readBefore: number) =>
      change(async () => {
        let dropped = 0;
        for await (const guildId of linked.withTitlesFrom(readBefore)) {
          dropped += await dropTitlesOf(guildId, readBefore);
        }
        return dropped;
      }, "part"),
    /** One linked channel, or all of them without an id. Answers whether there was one. @throws ServiceError `store_unavailable`. */
    remove: async (guildId: string, kind: CredentialKind, channelId?: string) => {
      const removed = await change(() =>
        channelId === undefined
          ? removeAll(guildId, kind)
          : changeOne(guildId, channelId, (one, channels) =>
              channels.filter((channel) => channel !== one),
            ),
      );
      // Also when nothing was there: an earlier call may have stopped after the removal.
      await change(() => database.wipe(), "part");
      return removed;
    },
  };
}

/** In its old place when it was linked before, else as the last. */
function placed(channels: readonly Credential[], one: Credential): readonly Credential[] {
  const kept = keptOf(one);
  const isSame = ({ channelId }: Credential) => channelId === one.channelId;
  if (channels.some(isSame)) return channels.map((each) => (isSame(each) ? kept : each));
  if (channels.length < mostChannels) return [...channels, kept];
  throw new InputError(`a guild has ${mostChannels} linked channels`, {
    code: "too_many_channels",
    hint: `A server can link up to ${mostChannels} channels. Disconnect one first.`,
    facts: { most: mostChannels },
  });
}

const untitled = { channelTitle: undefined, titleReadAt: undefined } as const;

function isStale({ channelTitle, titleReadAt, addedAt }: Credential, readBefore: number): boolean {
  return channelTitle !== undefined && (titleReadAt ?? addedAt) < readBefore;
}

function changed(one: Credential, asked: ChannelChange): Credential {
  return keptOf({ ...one, ...asked } as Credential);
}

/** Its own fields, in one order; what is undefined is left out of the text. */
function keptOf(one: Credential): Credential {
  const { kind, secret, addedBy, addedAt, channelId, channelTitle, titleReadAt, scopes } = one;
  const { name, grant, endsAt, brokenAt } = one;
  const facts = { channelId, channelTitle, titleReadAt, scopes, name, grant, endsAt, brokenAt };
  return { kind, secret, addedBy, addedAt, ...facts } as Credential;
}

function recordAt(guildId: string, kind: CredentialKind): ServerRecordAt {
  return { namespace: "credential", key: `${checkGuildId(guildId)}:${kind}`, guildId };
}

export function credentialContext(guildId: string, kind: string): Context {
  return { purpose: "credential", guildId, kind, field: "record" };
}

import { checkSnowflake } from "../database/index.ts";
import { InputError } from "../errors.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import type { Credential, CredentialKind, LinkedChannelChange } from "./credential.ts";
import { readStore, writeStore } from "./failure.ts";
import { createLinkedChannels } from "./linked-channels.ts";
import type { ServerRecordKey } from "./records.ts";
import { isUnreadable, openSealed, seal, sealContextFor } from "./seal.ts";

/** More than anybody has, and still few enough for one card. */
const maxChannels = 20;

export type CredentialStore = ReturnType<typeof createCredentials>;

/**
 * Credentials by server and kind, sealed with AES-256-GCM. Server, kind and field are part of the authenticated data, so a
 * record that is moved to another server does not open. The whole record is sealed, so that the id of who entered it can't be
 * forged either. All linked channels of a server are one record, so that their order, the default first, changes with them.
 */
export function createCredentials({ records, keyring, onSecret }: SealedRecordsDeps) {
  const { database } = records;
  const linked = createLinkedChannels(database);

  function open({ key }: ServerRecordKey, sealed: unknown): readonly Credential[] {
    if (sealed === undefined) return [];
    const text = openSealed(keyring, sealContextFor("credential", key), String(sealed));
    const stored = JSON.parse(text);
    const all: readonly Credential[] = stored.channels ?? [stored];
    for (const { secret } of all) if (secret !== "") onSecret(secret);
    return all;
  }

  async function readAll(guildId: string, kind: CredentialKind): Promise<readonly Credential[]> {
    const at = recordAt(guildId, kind);
    return open(at, await records.get(at));
  }

  /** Replaces the channels by what `make` returns; the record is removed with the last channel. */
  async function changeChannels(
    guildId: string,
    make: (channels: readonly Credential[]) => readonly Credential[],
  ): Promise<void> {
    await database.transaction(async () => {
      let channels: readonly Credential[] | undefined;
      const at = recordAt(guildId, "channel");
      await records.change(at, (sealed) => {
        const before = open(at, sealed);
        const after = make(before);
        if (after === before) return sealed;
        channels = after;
        if (after.length === 0) return undefined;
        return seal(keyring, sealContextFor("credential", at.key), JSON.stringify({ channels }));
      });
      if (channels !== undefined) await linked.replace(guildId, channels);
    });
  }

  /** Returns the channel as it was before, if it is linked. */
  async function changeOne(
    guildId: string,
    channelId: string,
    make: (one: Credential, all: readonly Credential[]) => readonly Credential[],
  ): Promise<Credential | undefined> {
    let one: Credential | undefined;
    await changeChannels(guildId, (all) => {
      one = all.find((channel) => channel.channelId === channelId);
      return one === undefined ? all : make(one, all);
    });
    return one;
  }

  async function dropTitles(guildId: string, readBefore: number): Promise<number> {
    let dropped = 0;
    try {
      await changeChannels(guildId, (all) => {
        dropped = all.filter((one) => isStale(one, readBefore)).length;
        return all.map((one) => (isStale(one, readBefore) ? withChange(one, untitled) : one));
      });
      return dropped;
    } catch (error) {
      // A record that does not open shows its title to nobody, and must not stop the others.
      if (isUnreadable(error)) return 0;
      throw error;
    }
  }

  return {
    /** For the kind `channel`: that linked channel, or the default one if no id is given. */
    read: (guildId: string, kind: CredentialKind, channelId?: string) =>
      readStore(async () => {
        const all = await readAll(guildId, kind);
        return channelId === undefined ? all[0] : all.find((one) => one.channelId === channelId);
      }),
    /** Every linked channel, the default first; absent when there is none. */
    channels: (guildId: string) =>
      readStore(async () => {
        const all = await readAll(guildId, "channel");
        return all.length === 0 ? undefined : all;
      }),
    /**
     * A linked channel is added to the others, or replaces its own earlier entry, whose name it keeps unless it has one of its
     * own; the first one is the default.
     * @throws ServiceError `store_unavailable`; InputError `too_many_channels`; nothing is changed then.
     */
    write: (guildId: string, credential: Credential) =>
      writeStore(async () => {
        const { kind, secret, addedBy, addedAt, engine, address } = credential;
        if (secret !== "") onSecret(secret);
        if (kind === "channel") {
          return changeChannels(guildId, (all) => withChannel(all, credential));
        }
        const at = recordAt(guildId, kind);
        const text = JSON.stringify({ kind, secret, addedBy, addedAt, engine, address });
        await records.set(at, seal(keyring, sealContextFor("credential", at.key), text));
      }),
    /**
     * Returns whether it was changed: whether the channel is linked, and `when` returned true for it at that moment.
     * @throws ServiceError `store_unavailable`.
     */
    changeChannel: (
      guildId: string,
      channelId: string,
      change: LinkedChannelChange,
      when: (current: Credential) => boolean = () => true,
    ) =>
      writeStore(async () => {
        let isChanged = false;
        const found = await changeOne(guildId, channelId, (one, all) => {
          isChanged = when(one);
          return isChanged ? all.with(all.indexOf(one), withChange(one, change)) : all;
        });
        return found !== undefined && isChanged;
      }),
    /** Returns whether that channel is linked. @throws ServiceError `store_unavailable`. */
    chooseDefault: (guildId: string, channelId: string) =>
      writeStore(async () => {
        const found = await changeOne(guildId, channelId, (one, all) => [
          one,
          ...all.filter((channel) => channel !== one),
        ]);
        return found !== undefined;
      }),
    /** Servers that have linked a channel, working links first; at most 100. @throws ServiceError `store_unavailable`. */
    holdersOf: (channelId: string) => writeStore(() => linked.holdersOf(channelId)),
    /**
     * Forgets titles of linked channels that were read before that time; returns how many. Names that servers gave stay.
     * @throws ServiceError `store_unavailable`.
     */
    dropTitles: (readBefore: number) =>
      writeStore(async () => {
        let dropped = 0;
        for await (const guildId of linked.withTitlesFrom(readBefore)) {
          dropped += await dropTitles(guildId, readBefore);
        }
        return dropped;
      }, "part"),
    /** Removes a linked channel and returns it as it was then, if there was one. @throws ServiceError `store_unavailable`. */
    takeChannel: (guildId: string, channelId: string) =>
      writeStore(() =>
        changeOne(guildId, channelId, (one, all) => all.filter((channel) => channel !== one)),
      ),
    /**
     * Removes a key, or all linked channels, even those that do not open. Returns whether there was one. @throws ServiceError
     * `store_unavailable`.
     */
    remove: async (guildId: string, kind: CredentialKind) => {
      const removed = await writeStore(() =>
        database.transaction(async () => {
          if (kind === "channel") await linked.replace(guildId, []);
          return records.remove(recordAt(guildId, kind));
        }),
      );
      // Even if nothing was there: an earlier call may have failed right after the removal.
      await writeStore(() => database.wipe(), "part");
      return removed;
    },
  };
}

/** In its old place when it was linked before, else as the last. */
function withChannel(channels: readonly Credential[], one: Credential): readonly Credential[] {
  const before = channels.find(({ channelId }) => channelId === one.channelId);
  const { name = before?.name } = one;
  const stored = storedFields({ ...one, ...(name !== undefined && { name }) });
  if (before !== undefined) return channels.map((each) => (each === before ? stored : each));
  if (channels.length < maxChannels) return [...channels, stored];
  throw new InputError(`a server has ${maxChannels} linked channels`, {
    code: "too_many_channels",
    facts: { most: maxChannels },
  });
}

const untitled = { channelTitle: undefined, titleReadAt: undefined } as const;

function isStale({ channelTitle, titleReadAt, addedAt }: Credential, readBefore: number): boolean {
  return channelTitle !== undefined && (titleReadAt ?? addedAt) < readBefore;
}

function withChange(one: Credential, change: LinkedChannelChange): Credential {
  return storedFields({ ...one, ...change } as Credential);
}

/** Only the known fields, always in the same order; undefined ones are left out of the JSON. */
function storedFields(one: Credential): Credential {
  const { kind, secret, addedBy, addedAt, channelId, channelTitle, titleReadAt, scopes } = one;
  const { name, grant, endsAt, brokenAt } = one;
  const facts = { channelId, channelTitle, titleReadAt, scopes, name, grant, endsAt, brokenAt };
  return { kind, secret, addedBy, addedAt, ...facts } as Credential;
}

function recordAt(guildId: string, kind: CredentialKind): ServerRecordKey {
  return { namespace: "credential", key: `${checkSnowflake(guildId)}:${kind}`, guildId };
}

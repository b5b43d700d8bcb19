import { checkGuildId } from "../database/index.ts";
import { InputError } from "../errors.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import type { Credential, CredentialKind, LinkedChannelChange } from "./credential.ts";
import { readStore, writeStore } from "./failure.ts";
import { createLinkedChannels } from "./linked-channels.ts";
import type { ServerRecordKey } from "./records.ts";
import { isUnreadable, openSealed, type SealContext, seal } from "./seal.ts";

/** More than anybody has, and still few enough for one card. */
const maxChannels = 20;

export type CredentialStore = ReturnType<typeof createCredentials>;

/**
 * Credentials by guild and kind, sealed with AES-256-GCM. Guild, kind and field are part of the authenticated data, so a record
 * that is moved to another guild does not open. The whole record is sealed, so that the id of who entered it can't be forged
 * either. All linked channels of a guild are one record, so that their order, the default first, changes with them.
 */
export function createCredentials(deps: SealedRecordsDeps) {
  const { records, onSecret } = deps;
  const { database } = records;
  const linked = createLinkedChannels(database);
  const channels: ChannelDeps = { ...deps, linked };
  return {
    /** For the kind `channel`: that linked channel, or the default one if no id is given. */
    read: (guildId: string, kind: CredentialKind, channelId?: string) =>
      readStore(() => readOne(deps, { guildId, kind, channelId })),
    /** Every linked channel, the default first; absent when there is none. */
    channels: (guildId: string) =>
      readStore(async () => {
        const all = await readAll(deps, guildId, "channel");
        return all.length === 0 ? undefined : all;
      }),
    /**
     * A linked channel is added to the others, or replaces its own earlier entry, whose name it keeps unless it has one of its
     * own; the first one is the default.
     * @throws ServiceError `store_unavailable`; InputError `too_many_channels`; nothing is changed then.
     */
    write: (guildId: string, credential: Credential) =>
      writeStore(async () => {
        onSecret(credential.secret);
        if (credential.kind !== "channel") return writeKey(deps, guildId, credential);
        await changeChannels(channels, guildId, (all) => withChannel(all, credential));
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
    ) => writeStore(() => changeWhere(channels, { guildId, channelId }, { change, when })),
    /** Returns whether that channel is linked. @throws ServiceError `store_unavailable`. */
    chooseDefault: (guildId: string, channelId: string) =>
      writeStore(() =>
        changeOne(channels, { guildId, channelId }, (one, all) => [
          one,
          ...withoutChannel(one, all),
        ]),
      ),
    /** Servers that have linked a channel, working links first; at most 100. @throws ServiceError `store_unavailable`. */
    holdersOf: (channelId: string) => writeStore(() => linked.holdersOf(channelId)),
    /**
     * Forgets titles of linked channels that were read before that time; returns how many. Names that servers gave stay.
     * @throws ServiceError `store_unavailable`.
     */
    dropTitles: (readBefore: number) => writeStore(() => dropTitles(channels, readBefore), "part"),
    /** Removes a linked channel and returns it as it was then, if there was one. @throws ServiceError `store_unavailable`. */
    takeChannel: (guildId: string, channelId: string) =>
      writeStore(() => takeChannel(channels, { guildId, channelId })),
    /**
     * Removes a key, or all linked channels, even those that do not open. Returns whether there was one. @throws ServiceError
     * `store_unavailable`.
     */
    remove: (guildId: string, kind: CredentialKind) => removeAndWipe(channels, guildId, kind),
  };
}

/** Deps for changing the sealed record of a guild's channels, and the table for looking channels up. */
interface ChannelDeps extends SealedRecordsDeps {
  readonly linked: ReturnType<typeof createLinkedChannels>;
}

interface CredentialPlace {
  readonly guildId: string;
  readonly kind: CredentialKind;
  readonly channelId: string | undefined;
}

async function readOne(deps: SealedRecordsDeps, { guildId, kind, channelId }: CredentialPlace) {
  const all = await readAll(deps, guildId, kind);
  return channelId === undefined ? all[0] : all.find((one) => one.channelId === channelId);
}

async function removeAndWipe(
  deps: ChannelDeps,
  guildId: string,
  kind: CredentialKind,
): Promise<boolean> {
  const removed = await writeStore(() => remove(deps, guildId, kind));
  // Even if nothing was there: an earlier call may have failed right after the removal.
  await writeStore(() => deps.records.database.wipe(), "part");
  return removed;
}

async function readAll(
  deps: SealedRecordsDeps,
  guildId: string,
  kind: CredentialKind,
): Promise<readonly Credential[]> {
  return openCredentials(deps, { guildId, kind }, await deps.records.get(recordAt(guildId, kind)));
}

function openCredentials(
  { keyring, onSecret }: SealedRecordsDeps,
  { guildId, kind }: { readonly guildId: string; readonly kind: CredentialKind },
  sealed: unknown,
): readonly Credential[] {
  if (sealed === undefined) return [];
  const stored = JSON.parse(openSealed(keyring, credentialContext(guildId, kind), String(sealed)));
  const all: readonly Credential[] = stored.channels ?? [stored];
  for (const { secret } of all) onSecret(secret);
  return all;
}

async function writeKey(
  { records, keyring }: SealedRecordsDeps,
  guildId: string,
  { kind, secret, addedBy, addedAt }: Credential,
): Promise<void> {
  const text = JSON.stringify({ kind, secret, addedBy, addedAt });
  const sealed = seal(keyring, credentialContext(guildId, kind), text);
  await records.set(recordAt(guildId, kind), sealed);
}

/** Replaces the channels by what `make` returns; the record is removed with the last channel. */
async function changeChannels(
  deps: ChannelDeps,
  guildId: string,
  make: (channels: readonly Credential[]) => readonly Credential[],
): Promise<void> {
  const { records, keyring, linked } = deps;
  await records.database.transaction(async () => {
    let channels: readonly Credential[] | undefined;
    await records.change(recordAt(guildId, "channel"), (sealed) => {
      const before = openCredentials(deps, { guildId, kind: "channel" }, sealed);
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

interface LinkedChannelKey {
  readonly guildId: string;
  readonly channelId: string;
}

/** Returns whether there was one to change. */
async function changeOne(
  deps: ChannelDeps,
  { guildId, channelId }: LinkedChannelKey,
  make: (one: Credential, all: readonly Credential[]) => readonly Credential[],
): Promise<boolean> {
  let isThere = false;
  await changeChannels(deps, guildId, (all) => {
    const one = all.find((channel) => channel.channelId === channelId);
    isThere = one !== undefined;
    return one === undefined ? all : make(one, all);
  });
  return isThere;
}

async function changeWhere(
  deps: ChannelDeps,
  at: LinkedChannelKey,
  { change, when }: { change: LinkedChannelChange; when: (current: Credential) => boolean },
): Promise<boolean> {
  let isChanged = false;
  const isThere = await changeOne(deps, at, (one, all) => {
    isChanged = when(one);
    if (!isChanged) return all;
    return all.map((channel) => (channel === one ? withChange(one, change) : channel));
  });
  return isThere && isChanged;
}

async function takeChannel(
  deps: ChannelDeps,
  at: LinkedChannelKey,
): Promise<Credential | undefined> {
  let taken: Credential | undefined;
  const isThere = await changeOne(deps, at, (one, all) => {
    taken = one;
    return all.filter((channel) => channel !== one);
  });
  return isThere ? taken : undefined;
}

async function remove(deps: ChannelDeps, guildId: string, kind: CredentialKind): Promise<boolean> {
  const { records, linked } = deps;
  return records.database.transaction(async () => {
    if (kind === "channel") await linked.replace(guildId, []);
    return records.remove(recordAt(guildId, kind));
  });
}

async function dropTitles(deps: ChannelDeps, readBefore: number): Promise<number> {
  let dropped = 0;
  for await (const guildId of deps.linked.withTitlesFrom(readBefore)) {
    dropped += await dropTitlesOf(deps, guildId, readBefore);
  }
  return dropped;
}

async function dropTitlesOf(
  deps: ChannelDeps,
  guildId: string,
  readBefore: number,
): Promise<number> {
  let dropped = 0;
  try {
    await changeChannels(deps, guildId, (all) => {
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

function withoutChannel(one: Credential, all: readonly Credential[]): readonly Credential[] {
  return all.filter((channel) => channel !== one);
}

/** In its old place when it was linked before, else as the last. */
function withChannel(channels: readonly Credential[], one: Credential): readonly Credential[] {
  const before = channels.find(({ channelId }) => channelId === one.channelId);
  const { name = before?.name } = one;
  const stored = storedFields({ ...one, ...(name !== undefined && { name }) });
  if (before !== undefined) return channels.map((each) => (each === before ? stored : each));
  if (channels.length < maxChannels) return [...channels, stored];
  throw new InputError(`a guild has ${maxChannels} linked channels`, {
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
  return { namespace: "credential", key: `${checkGuildId(guildId)}:${kind}`, guildId };
}

export function credentialContext(guildId: string, kind: string): SealContext {
  return { purpose: "credential", guildId, kind, field: "record" };
}

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
export function createCredentials(deps: SealedRecordsDeps) {
  const { records, onSecret } = deps;
  const { database } = records;
  const linked = createLinkedChannels(database);
  const channels: Channels = { ...deps, linked };
  return {
    /** Of the linked channels that one, or the server's default. */
    read: (guildId: string, kind: CredentialKind, channelId?: string) =>
      answer(async () => {
        const all = await readAll(deps, guildId, kind);
        return channelId === undefined ? all[0] : all.find((one) => one.channelId === channelId);
      }),
    /** Every linked channel, the default first; absent when there is none. */
    channels: (guildId: string) =>
      answer(async () => {
        const all = await readAll(deps, guildId, "channel");
        return all.length === 0 ? undefined : all;
      }),
    /**
     * A linked channel stands beside the others, or replaces itself; the first one is the default.
     * @throws ServiceError `store_unavailable`; InputError `too_many_channels`; nothing is changed then.
     */
    write: (guildId: string, credential: Credential) =>
      change(async () => {
        onSecret(credential.secret);
        if (credential.kind !== "channel") return writeKey(deps, guildId, credential);
        await changeChannels(channels, guildId, (all) => placed(all, credential));
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
    ) => change(() => changeWhere(channels, { guildId, channelId }, { asked, when })),
    /** Answers whether that channel is linked. @throws ServiceError `store_unavailable`. */
    chooseDefault: (guildId: string, channelId: string) =>
      change(() =>
        changeOne(channels, { guildId, channelId }, (one, all) => [one, ...without(one, all)]),
      ),
    /** Which servers have linked a channel, those whose link works first; at most 100. @throws ServiceError `store_unavailable`. */
    holdersOf: (channelId: string) => change(() => linked.holdersOf(channelId)),
    /**
     * Forgets what linked channels are called, where that was read before then; answers of how many. The names that
     * servers gave them stay. @throws ServiceError `store_unavailable`.
     */
    dropTitles: (readBefore: number) => change(() => dropTitles(channels, readBefore), "part"),
    /** One linked channel, or all of them without an id. Answers whether there was one. @throws ServiceError `store_unavailable`. */
    remove: async (guildId: string, kind: CredentialKind, channelId?: string) => {
      const removed = await change(() => remove(channels, { guildId, kind, channelId }));
      // Also when nothing was there: an earlier call may have stopped after the removal.
      await change(() => database.wipe(), "part");
      return removed;
    },
  };
}

/** The sealed record of a guild's channels, and what of them is looked for. */
interface Channels extends SealedRecordsDeps {
  readonly linked: ReturnType<typeof createLinkedChannels>;
}

async function readAll(
  deps: SealedRecordsDeps,
  guildId: string,
  kind: CredentialKind,
): Promise<readonly Credential[]> {
  return opened(deps, { guildId, kind }, await deps.records.get(recordAt(guildId, kind)));
}

function opened(
  { keyring, onSecret }: SealedRecordsDeps,
  { guildId, kind }: { readonly guildId: string; readonly kind: CredentialKind },
  sealed: unknown,
): readonly Credential[] {
  if (sealed === undefined) return [];
  const stored = JSON.parse(open(keyring, credentialContext(guildId, kind), String(sealed)));
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

/** Replaces the channels by what is made of them; their record goes with the last. */
async function changeChannels(
  deps: Channels,
  guildId: string,
  make: (channels: readonly Credential[]) => readonly Credential[],
): Promise<void> {
  const { records, keyring, linked } = deps;
  await records.database.transaction(async () => {
    let channels: readonly Credential[] | undefined;
    await records.change(recordAt(guildId, "channel"), (sealed) => {
      const before = opened(deps, { guildId, kind: "channel" }, sealed);
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

interface ChannelAt {
  readonly guildId: string;
  readonly channelId: string;
}

/** Answers whether there was one to change. */
async function changeOne(
  deps: Channels,
  { guildId, channelId }: ChannelAt,
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
  deps: Channels,
  at: ChannelAt,
  { asked, when }: { asked: ChannelChange; when: (current: Credential) => boolean },
): Promise<boolean> {
  let isChanged = false;
  const isThere = await changeOne(deps, at, (one, all) => {
    isChanged = when(one);
    if (!isChanged) return all;
    return all.map((channel) => (channel === one ? changed(one, asked) : channel));
  });
  return isThere && isChanged;
}

interface RemovedCredential extends Pick<ChannelAt, "guildId"> {
  readonly kind: CredentialKind;
  readonly channelId: string | undefined;
}

/** Without a channel all of that kind, also what does not open: what holds no channels any more is linked nowhere. */
async function remove(
  deps: Channels,
  { guildId, kind, channelId }: RemovedCredential,
): Promise<boolean> {
  if (channelId !== undefined) return changeOne(deps, { guildId, channelId }, without);
  const { records, linked } = deps;
  return records.database.transaction(async () => {
    if (kind === "channel") await linked.replace(guildId, []);
    return records.remove(recordAt(guildId, kind));
  });
}

async function dropTitles(deps: Channels, readBefore: number): Promise<number> {
  let dropped = 0;
  for await (const guildId of deps.linked.withTitlesFrom(readBefore)) {
    dropped += await dropTitlesOf(deps, guildId, readBefore);
  }
  return dropped;
}

async function dropTitlesOf(deps: Channels, guildId: string, readBefore: number): Promise<number> {
  let dropped = 0;
  try {
    await changeChannels(deps, guildId, (all) => {
      dropped = all.filter((one) => isStale(one, readBefore)).length;
      return all.map((one) => (isStale(one, readBefore) ? changed(one, untitled) : one));
    });
    return dropped;
  } catch (error) {
    // A row that does not open tells nobody anything, and must not keep the others from their turn.
    if (isUnreadable(error)) return 0;
    throw error;
  }
}

function without(one: Credential, all: readonly Credential[]): readonly Credential[] {
  return all.filter((channel) => channel !== one);
}

/** In its old place when it was linked before, else as the last. */
function placed(channels: readonly Credential[], one: Credential): readonly Credential[] {
  const kept = keptOf(one);
  const isSame = ({ channelId }: Credential) => channelId === one.channelId;
  if (channels.some(isSame)) return channels.map((each) => (isSame(each) ? kept : each));
  if (channels.length < mostChannels) return [...channels, kept];
  throw new InputError(`a guild has ${mostChannels} linked channels`, {
    code: "too_many_channels",
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

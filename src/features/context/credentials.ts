import { type ActingAs, type Rank, reaches } from "../../discord/index.ts";
import { ConnectError, InputError } from "../../errors.ts";
import {
  type Credential,
  type CredentialFacts,
  type CredentialKind,
  type CredentialStore,
  storedIn,
} from "../../store/index.ts";
import { type Demands, videoDemand } from "./demands.ts";

const missing = {
  "video-key": { command: "connect key", code: "video_key_missing" },
  channel: { command: "connect channel", code: "channel_missing" },
  "background-key": { command: "connect background-key", code: "background_key_missing" },
} as const satisfies Record<CredentialKind, { command: string; code: string }>;

export type OpenedCredentials = Readonly<Partial<Record<CredentialKind, Credential>>>;

/** Which of the linked channels acts. */
interface ActingChannelChoice extends ActingAs {
  /** Called with its name where it is not the default one. */
  readonly onOther?: (name: string) => void;
}

/** Whose credentials are opened, and for whom. */
interface CredentialsRequest {
  readonly guildId: string;
  readonly rank: Rank;
  readonly acting?: ActingChannelChoice | undefined;
}

/**
 * Opens the credentials that the handler needs or can use.
 * @throws ConnectError `video_key_missing`, `channel_missing`, `acting_channel_gone` or `background_key_missing`;
 * InputError `acting_channel_unknown`; ServiceError `store_unavailable`.
 */
export async function openCredentials(
  demands: Demands,
  request: CredentialsRequest,
  credentials: CredentialStore,
): Promise<OpenedCredentials> {
  const { guildId, rank, acting } = request;
  const video = videoDemand(demands);
  const kinds: readonly CredentialKind[] = [
    ...(video === "none" ? [] : (["video-key", "channel"] as const)),
    ...(demands.needs ?? []),
    ...(demands.wants ?? []),
  ];
  const opened: Partial<Record<CredentialKind, Credential>> = {};
  for (const kind of new Set(kinds)) {
    const credential =
      kind === "channel"
        ? await openChannel(guildId, acting, credentials)
        : storedIn(await credentials.read(guildId, kind));
    if (credential !== undefined) opened[kind] = credential;
  }
  const lacks = (kind: CredentialKind) =>
    kind === "channel" && acting?.isChosen === false
      ? new ConnectError("the channel of this press is not linked any more", {
          code: "acting_channel_gone",
        })
      : credentialMissing(kind, rank);
  if (video === "any" && opened["video-key"] === undefined && opened.channel === undefined) {
    throw credentialMissing("video-key", rank);
  }
  if (video === "channel" && opened.channel === undefined) throw lacks("channel");
  for (const kind of demands.needs ?? []) {
    if (kind !== "video-key" && opened[kind] === undefined) throw lacks(kind);
  }
  return opened;
}

export function credentialMissing(kind: CredentialKind, rank: Rank): ConnectError {
  const { command, code } = missing[kind];
  const isOwner = reaches(rank, "owner");
  return new ConnectError(`server has no ${kind}`, { code, facts: { command, isOwner } });
}

export function withoutSecret({ secret: _, ...facts }: Credential): CredentialFacts {
  return facts;
}

/** The name by which people know a linked channel. */
function channelLabel({ name, channelTitle, channelId }: CredentialFacts): string {
  return name ?? channelTitle ?? channelId ?? "";
}

/**
 * The linked channel that acts; undefined where none is linked, or where a press was about one that no longer is.
 * @throws InputError `acting_channel_unknown`; ServiceError `store_unavailable`
 */
async function openChannel(
  guildId: string,
  acting: ActingChannelChoice | undefined,
  credentials: CredentialStore,
): Promise<Credential | undefined> {
  if (acting === undefined) return storedIn(await credentials.read(guildId, "channel"));
  const all = await readLinkedChannels(guildId, credentials);
  const found = findLinkedChannel(acting.name, all);
  if (found !== undefined && found !== all[0]) acting.onOther?.(channelLabel(found));
  if (found === undefined && acting.isChosen && all.length > 0) {
    throw new InputError("no linked channel is called so", {
      code: "acting_channel_unknown",
      facts: { name: acting.name, linked: all.map(channelLabel).join(", ") },
    });
  }
  return found;
}

/** All linked channels, the default first. @throws ServiceError `store_unavailable` */
export async function readLinkedChannels(
  guildId: string,
  credentials: Pick<CredentialStore, "channels">,
): Promise<readonly Credential[]> {
  return storedIn(await credentials.channels(guildId)) ?? [];
}

/** Finds a channel by its id, or by a name that only one of them has. */
export function findLinkedChannel<C extends CredentialFacts>(
  wanted: string,
  all: readonly C[],
): C | undefined {
  const byId = all.find(({ channelId }) => channelId === wanted);
  if (byId !== undefined) return byId;
  const fold = (name: string | undefined) => name?.normalize("NFKC").trim().toLowerCase();
  const called = all.filter((one) =>
    [one.name, one.channelTitle].some((name) => fold(name) === fold(wanted)),
  );
  return called.length === 1 ? called[0] : undefined;
}

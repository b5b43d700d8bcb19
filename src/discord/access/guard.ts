import { ConnectError } from "../../errors.ts";
import type { Credential, CredentialKind, Credentials } from "../../store/index.ts";
import { type Demands, videoDemand } from "../declare/demands.ts";
import { type Rank, reaches } from "../rank.ts";
import { type Acting, channelGone, openChannel } from "./channel.ts";
import { storedIn } from "./store-unavailable.ts";

const missing = {
  "video-key": { command: "connect key", code: "video_key_missing" },
  channel: { command: "connect channel", code: "channel_missing" },
  "background-key": { command: "connect background-key", code: "background_key_missing" },
} as const satisfies Record<CredentialKind, { command: string; code: string }>;

export type Opened = Readonly<Partial<Record<CredentialKind, Credential>>>;

/** For whom credentials are opened. */
export interface Opening {
  readonly guildId: string;
  readonly rank: Rank;
  readonly acting?: Acting | undefined;
}

/**
 * Opens what the handler needs and can use.
 * @throws ConnectError `video_key_missing`, `channel_missing`, `acting_channel_gone` or `background_key_missing`;
 * InputError `acting_channel_unknown`; ServiceError `store_unavailable`.
 */
export async function requireCredentials(
  demands: Demands,
  opening: Opening,
  credentials: Credentials,
): Promise<Opened> {
  const { guildId, rank, acting } = opening;
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
    kind === "channel" && acting?.isChosen === false ? channelGone() : notConnected(kind, rank);
  if (video === "any" && opened["video-key"] === undefined && opened.channel === undefined) {
    throw notConnected("video-key", rank);
  }
  if (video === "channel" && opened.channel === undefined) throw lacks("channel");
  for (const kind of demands.needs ?? []) {
    if (kind !== "video-key" && opened[kind] === undefined) throw lacks(kind);
  }
  return opened;
}

export function notConnected(kind: CredentialKind, rank: Rank): ConnectError {
  const { command, code } = missing[kind];
  const isOwner = reaches(rank, "owner");
  return new ConnectError(`guild has no ${kind}`, {
    code,
    facts: { command, isOwner },
  });
}

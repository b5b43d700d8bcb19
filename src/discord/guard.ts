import { AccessError, ConnectError, ServiceError } from "../errors.ts";
import type { Credential, CredentialKind, Credentials } from "../store/index.ts";
import { type Method, type MethodSpec, methods } from "../video/index.ts";
import { type Rank, reaches } from "./rank.ts";

/** What a handler asks of the person and the guild. */
export interface Demands {
  readonly rank?: Rank;
  readonly row?: Method;
  readonly needs?: readonly CredentialKind[];
  readonly wants?: readonly CredentialKind[];
}

const rankNames = {
  member: "a member",
  moderator: "a moderator (Manage Messages)",
  manager: "a manager (Manage Channels)",
  owner: "an owner (Manage Server)",
} as const satisfies Record<Rank, string>;

const missing = {
  "video-key": { command: "/connect key", code: "video_key_missing" },
  "background-key": { command: "/connect background-key", code: "background_key_missing" },
} as const satisfies Record<CredentialKind, { command: string; code: string }>;

/** @throws AccessError `rank_too_low`, from this interaction's own permissions. */
export function requireRank(demands: Demands, rank: Rank): void {
  const wanted = demands.rank ?? "member";
  if (reaches(rank, wanted)) return;
  throw new AccessError(`rank ${rank} is below ${wanted}`, {
    code: "rank_too_low",
    hint: `This takes ${rankNames[wanted]}. Ask somebody who is.`,
  });
}

/** Which credentials a handler needs: its own and those of its row. */
export function credentialsFor(demands: Demands): readonly CredentialKind[] {
  const spec: MethodSpec | undefined = demands.row === undefined ? undefined : methods[demands.row];
  const ofRow: readonly CredentialKind[] =
    spec !== undefined && spec.auth !== "token" ? ["video-key"] : [];
  return [...new Set([...ofRow, ...(demands.needs ?? [])])];
}

export type Opened = Readonly<Partial<Record<CredentialKind, Credential>>>;

/**
 * Opens what the handler needs.
 * @throws ConnectError `video_key_missing` or `background_key_missing`; ServiceError `store_unavailable`.
 */
export async function requireCredentials(
  demands: Demands,
  guildId: string,
  rank: Rank,
  credentials: Credentials,
): Promise<Opened> {
  const opened: Partial<Record<CredentialKind, Credential>> = {};
  for (const kind of demands.wants ?? []) {
    const credential = await open(kind, guildId, credentials);
    if (credential !== undefined) opened[kind] = credential;
  }
  for (const kind of credentialsFor(demands)) {
    const credential = await open(kind, guildId, credentials);
    if (credential === undefined) throw notConnected(kind, rank);
    opened[kind] = credential;
  }
  return opened;
}

async function open(
  kind: CredentialKind,
  guildId: string,
  credentials: Credentials,
): Promise<Credential | undefined> {
  const read = await credentials.read(guildId, kind);
  if (read.state === "failed") throw storeUnavailable(read.error);
  return read.state === "found" ? read.value : undefined;
}

function notConnected(kind: CredentialKind, rank: Rank): ConnectError {
  const { command, code } = missing[kind];
  return new ConnectError(`guild has no ${kind}`, {
    code,
    hint: reaches(rank, "owner")
      ? `Connect it with ${command}; it takes a minute and the key is never shown.`
      : `Somebody with the Manage Server permission can connect it with ${command}.`,
  });
}

export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("the store can't be read", {
    code: "store_unavailable",
    hint: "Your settings are safe. Try again in a minute; if it stays so, tell the people who run this bot.",
    cause,
  });
}

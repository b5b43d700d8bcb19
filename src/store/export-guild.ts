import { entriesWithin } from "./backend.ts";
import { type GuildNamespace, recordsOf } from "./guild-records.ts";
import type { GuildParts } from "./guilds.ts";
import { feedNamespaces, moderationNamespaces } from "./records/namespaces.ts";
import { isUnreadable } from "./seal.ts";
import type { KeptTicket } from "./tickets.ts";
import type {
  Counts,
  CredentialKind,
  ExportedCredential,
  ExportedRows,
  FeedRows,
  GuildExport,
  HeldRecords,
  ModerationRows,
} from "./types.ts";

type Parts = Pick<GuildParts, "backend" | "credentials">;

const keyKinds = ["video-key", "background-key"] as const satisfies readonly CredentialKind[];

/** Shorter secrets would be told by half. */
const leastShown = 20;

/** All that is stored about a guild, in a form for people; of secrets the last four characters. */
export async function exportGuild(parts: Parts, guildId: string): Promise<GuildExport> {
  return {
    credentials: await exportCredentials(parts, guildId),
    settings: await exportSettings(parts, guildId),
    units: await exportCounts(parts, "spender", guildId, ([, day = "", project = ""]) => ({
      day,
      project,
    })),
    credits: await exportCounts(parts, "credit", guildId, ([, day = ""]) => ({ day })),
    accessTokens: await held(parts, "token", guildId),
    buttons: await held(parts, "continuation", guildId),
    linksUnderWay: await held(parts, "ticket", guildId),
    moderation: await exportRows<ModerationRows>(parts, moderationNamespaces, guildId),
    feeds: await exportRows<FeedRows>(parts, feedNamespaces, guildId),
  };
}

async function exportCredentials({ credentials }: Parts, guildId: string) {
  const exported: ExportedCredential[] = [];
  for (const kind of keyKinds) {
    const read = await credentials.read(guildId, kind);
    if (read.state === "failed") exported.push(unreadable(kind, read.error));
    if (read.state === "found") exported.push({ ...read.value, secret: masked(read.value.secret) });
  }
  const channels = await credentials.channels(guildId);
  if (channels.state === "failed") exported.push(unreadable("channel", channels.error));
  if (channels.state === "found") {
    exported.push(...channels.value.map((one) => ({ ...one, secret: masked(one.secret) })));
  }
  return exported;
}

function unreadable(kind: CredentialKind, error: Error): ExportedCredential {
  if (!isUnreadable(error)) throw error;
  return { kind, isUnreadable: true };
}

function masked(secret: string): string {
  return secret.length < leastShown ? "…" : `…${secret.slice(-4)}`;
}

async function exportSettings({ backend }: Parts, guildId: string) {
  for await (const [, settings] of recordsOf(backend, "settings", guildId)) {
    return settings as GuildExport["settings"];
  }
  return undefined;
}

async function exportCounts<At>(
  { backend }: Parts,
  namespace: "spender" | "credit",
  guildId: string,
  placeOf: (parts: readonly string[]) => At,
): Promise<readonly (At & { readonly counts: Counts })[]> {
  const exported: (At & { readonly counts: Counts })[] = [];
  for await (const [key, counts] of recordsOf(backend, namespace, guildId)) {
    exported.push({ ...placeOf(key.split(":")), counts: counts as Counts });
  }
  return exported;
}

async function held(
  { backend }: Parts,
  namespace: GuildNamespace,
  guildId: string,
): Promise<HeldRecords> {
  let count = 0;
  let goneAt: number | undefined;
  for await (const [key, value] of recordsOf(backend, namespace, guildId)) {
    // What a hub calls back is no step of anybody's.
    if ((value as Partial<KeptTicket> | null)?.of !== undefined) continue;
    count += 1;
    const expires = (await backend.records[namespace].getRaw(key))?.expires;
    goneAt = Math.max(goneAt ?? 0, expires ?? 0);
  }
  return { count, ...(goneAt ? { goneAt } : {}) };
}

async function exportRows<Rows>(
  { backend }: Parts,
  namespaces: Readonly<Record<keyof Rows & string, GuildNamespace>>,
  guildId: string,
): Promise<ExportedRows<Rows>> {
  const exported: Record<string, readonly { readonly id: string; readonly value: unknown }[]> = {};
  for (const [kind, namespace] of Object.entries<GuildNamespace>(namespaces)) {
    const found = [];
    for await (const [key, value] of entriesWithin(backend, namespace, guildId)) {
      found.push({ id: key.slice(guildId.length + 1), value });
    }
    exported[kind] = found;
  }
  // Each kind has one namespace, and what lies there was written as that kind.
  return exported as ExportedRows<Rows>;
}

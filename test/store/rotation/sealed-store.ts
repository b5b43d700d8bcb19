import type { MasterKey } from "../../../src/store/index.ts";
import { openStore } from "../../../src/store/index.ts";
import type { Kind, Place } from "../../support/databases/kinds.ts";
import { guild, linkedChannel, otherGuild, videoKey } from "../setup.ts";

export const channel = linkedChannel().channelId;
export const hour = 3_600_000;

/** Sealed rows of every kind, in two servers. */
export async function filled(kind: Kind, keys: readonly MasterKey[]) {
  const place = await kind.fresh();
  const { url } = place;
  const store = await openStore({ url, keys });
  const oneTimeTokens: string[] = [];
  for (const guildId of [guild, otherGuild]) {
    await store.credentials.write(guildId, videoKey(`video of ${guildId}`));
    await store.credentials.write(guildId, {
      ...videoKey(`images of ${guildId}`),
      kind: "background-key",
    });
    await store.credentials.write(guildId, linkedChannel(`grant of ${guildId}`));
    const times = { renewAt: Date.now() + hour, endsAt: Date.now() + hour };
    for (const id of [channel, "UC-another"]) {
      const token = `token of ${guildId} ${id}`;
      await store.accessTokens.write(guildId, id, { token, grantHash: "0", ...times });
    }
    oneTimeTokens.push(
      await store.oneTimeTokens.put({ guildId, userId: "1", content: guildId }, hour),
    );
    await store.revocations.add(`revoked of ${guildId}`);
  }
  await store.close();
  return { place, url, oneTimeTokens };
}

export interface RawRow {
  readonly value: string;
  readonly expires: number | null;
}

const rawQuery = `select key, value, expires_at as expires from keyv
    where key like 'credential:%' or key like 'token:%' or key like 'ticket:%'
  union all select 'revocation:' || id, token, due_at from revocations order by 1`;

/** Sealed rows as they are stored, by their kind and key. */
export async function rawRows({ query }: Place): Promise<ReadonlyMap<string, RawRow>> {
  const rows = await query(rawQuery);
  return new Map(
    rows.map(({ key, value, expires }) => [
      String(key),
      { value: String(value), expires: expires === null ? null : Number(expires) },
    ]),
  );
}

/** Overwrites a sealed row, given by its kind and key. */
export async function writeRaw({ query }: Place, key: string, value: string): Promise<void> {
  const id = /^revocation:(.+)$/.exec(key)?.[1];
  await (id === undefined
    ? query("update keyv set value = $1 where key = $2", [value, key])
    : query("update revocations set token = $1 where id = $2", [value, id]));
}

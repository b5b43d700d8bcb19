import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../../../src/store/index.ts";
import type { MasterKey } from "../../../src/store/types.ts";
import { guild, linkedChannel, otherGuild, temporaryFolder, videoKey } from "../setup.ts";

export const channel = linkedChannel().channelId;
export const hour = 3_600_000;

/** Sealed rows of every kind, of two guilds. */
export async function filled(keys: readonly MasterKey[]) {
  const path = join(temporaryFolder(), "a.sqlite");
  const url = `sqlite:${path}`;
  const store = await openStore({ url, keys });
  const tickets: string[] = [];
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
    tickets.push(await store.tickets.put({ guildId, userId: "1", content: guildId }, hour));
    await store.revocations.add(`revoked of ${guildId}`);
  }
  await store.close();
  return { path, url, tickets };
}

/** Sealed rows as they lie in the file, by their keys there. */
export function rawRows(path: string): ReadonlyMap<string, { value: string; expires: unknown }> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      "SELECT key, value, expires FROM entries WHERE key GLOB 'credential:*' OR key GLOB 'token:*' OR key GLOB 'ticket:*' OR key GLOB 'revocation:*' ORDER BY key",
    )
    .all();
  database.close();
  return new Map(
    rows.map(({ key, value, expires }) => [String(key), { value: String(value), expires }]),
  );
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";
import { toCost, quotaBuckets as videoBuckets } from "./amounts.ts";
import { lastDays } from "./calendar.ts";
import { type SpendingChange, type SpendingKey, toSpendingKey } from "./spending-entry.ts";
import type { CreditsSpent, SpendingKind, SpendingLine } from "./types.ts";
import type { UnsavedChanges } from "./unsaved-changes.ts";

/** Older days are not stored. */
const storedDays = 40;

type SpendingRow = Omit<SpendingKey, "serverId" | "day" | "purpose"> & SpendingChange;

/** What servers spent: what is stored, and what could not be stored yet. */
export function createHistory(
  { db, now, servers }: Pick<Database, "db" | "now" | "servers">,
  unsaved: Pick<UnsavedChanges, "save" | "of">,
) {
  async function readRows(
    serverId: number | undefined,
    day: string,
    buckets: readonly SpendingKind[],
  ): Promise<readonly SpendingRow[]> {
    if (serverId === undefined) return [];
    const { rows } = await sql<SpendingRow>`
      select bucket, user_id as "userId", project, command, method,
        cast(sum(amount) as bigint) as amount, cast(sum(count) as bigint) as count
      from spending
      where server_id = ${serverId} and day = ${day} and bucket in (${sql.join(buckets)})
      group by bucket, user_id, project, command, method
      order by bucket, user_id, project, command, method`.execute(db);
    return rows;
  }

  /** Reads one day at a time, so that other work can run in between. */
  async function readDays<T>(
    guildId: string,
    { days, buckets }: { days: number; buckets: readonly SpendingKind[] },
    toLines: (day: string, rows: readonly SpendingRow[]) => readonly T[],
  ): Promise<readonly T[]> {
    await unsaved.save();
    const serverId = await servers.find(guildId);
    const lines: T[] = [];
    for (const { name } of lastDays(now(), Math.min(days, storedDays + 1))) {
      const stored = await readRows(serverId, name, buckets);
      const others = unsaved.of(guildId).flatMap(({ entry, amount, count }) => {
        const key = toSpendingKey(entry, 0);
        return key.day === name && buckets.includes(key.bucket) ? [{ ...key, amount, count }] : [];
      });
      lines.push(...toLines(name, [...stored, ...others]));
      await nextTurn();
    }
    return lines;
  }

  return {
    units: (guildId: string, days: number): Promise<readonly SpendingLine[]> =>
      readDays(guildId, { days, buckets: videoBuckets }, (day, rows) =>
        rows.flatMap(({ project, bucket, userId, command, method, amount: spent }) =>
          spent <= 0 || bucket === "credits"
            ? []
            : [{ project, day, bucket, userId, command, method, spent }],
        ),
      ),
    credits: (guildId: string, days: number): Promise<readonly CreditsSpent[]> =>
      readDays(guildId, { days, buckets: ["credits"] }, sumCreditsByCommand),
  };
}

/** By person and command, whichever account paid; the most credits first. */
function sumCreditsByCommand(day: string, rows: readonly SpendingRow[]): readonly CreditsSpent[] {
  const groups = Map.groupBy(rows, ({ userId, command }) => `${userId} ${command}`);
  const lines = [...groups.values()].flatMap((group) => {
    const [first] = group;
    const pictures = group.reduce((sum, { count }) => sum + count, 0);
    if (first === undefined || pictures <= 0) return [];
    const amount = group.reduce((sum, row) => sum + row.amount, 0);
    const credits = toCost("credits", amount);
    return [{ day, userId: first.userId, command: first.command, credits, pictures }];
  });
  return lines.sort((one, other) => other.credits - one.credits);
}

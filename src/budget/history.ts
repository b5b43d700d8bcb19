import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";
import { buckets as ofVideo, toCost } from "./amounts.ts";
import { type DayAt, lastDays, pacificDayAt, utcDayAt } from "./calendar.ts";
import { keyOf, type SpendingChange, type SpendingKey } from "./entry.ts";
import type { CreditsSpent, Spendable, SpendingLine } from "./types.ts";
import type { Unsaved } from "./unsaved.ts";

/** Nothing older is kept. */
const keptDays = 40;

type Row = Omit<SpendingKey, "serverId" | "day" | "purpose"> & SpendingChange;

/** What guilds spent, as it is stored and as far as it could not be stored yet. */
export function createHistory(
  { db, now, servers }: Pick<Database, "db" | "now" | "servers">,
  unsaved: Pick<Unsaved, "save" | "of">,
) {
  async function rowsOf(
    serverId: number | undefined,
    day: string,
    buckets: readonly Spendable[],
  ): Promise<readonly Row[]> {
    if (serverId === undefined) return [];
    const { rows } = await sql<Row>`
      select bucket, user_id as "userId", project, command, method,
        cast(sum(amount) as bigint) as amount, cast(sum(count) as bigint) as count
      from spending
      where server_id = ${serverId} and day = ${day} and bucket in (${sql.join(buckets)})
      group by bucket, user_id, project, command, method
      order by bucket, user_id, project, command, method`.execute(db);
    return rows;
  }

  function unsavedRows(guildId: string, day: string, buckets: readonly Spendable[]): Row[] {
    return unsaved.of(guildId).flatMap(({ entry, amount, count }) => {
      const key = keyOf(entry, 0);
      return key.day === day && buckets.includes(key.bucket) ? [{ ...key, amount, count }] : [];
    });
  }

  /** A day at a time, with room for other work in between. */
  async function overDays<T>(
    guildId: string,
    { dayAt, days, buckets }: { dayAt: DayAt; days: number; buckets: readonly Spendable[] },
    draw: (day: string, rows: readonly Row[]) => readonly T[],
  ): Promise<readonly T[]> {
    await unsaved.save();
    const serverId = await servers.find(guildId);
    const lines: T[] = [];
    for (const { name } of lastDays(dayAt, now(), Math.min(days, keptDays + 1))) {
      const stored = await rowsOf(serverId, name, buckets);
      lines.push(...draw(name, [...stored, ...unsavedRows(guildId, name, buckets)]));
      await nextTurn();
    }
    return lines;
  }

  return {
    units: (guildId: string, days: number): Promise<readonly SpendingLine[]> =>
      overDays(guildId, { dayAt: pacificDayAt, days, buckets: ofVideo }, (day, rows) =>
        rows.flatMap(({ project, bucket, userId, command, method, amount: spent }) =>
          spent <= 0 || bucket === "credits"
            ? []
            : [{ project, day, bucket, userId, command, method, spent }],
        ),
      ),
    credits: (guildId: string, days: number): Promise<readonly CreditsSpent[]> =>
      overDays(guildId, { dayAt: utcDayAt, days, buckets: ["credits"] }, creditsOf),
  };
}

/** By person and command, whichever account paid; most credits first. */
function creditsOf(day: string, rows: readonly Row[]): readonly CreditsSpent[] {
  const groups = Map.groupBy(rows, ({ userId, command }) => `${userId} ${command}`);
  const lines = [...groups.values()].flatMap((some) => {
    const [first] = some;
    const pictures = some.reduce((sum, { count }) => sum + count, 0);
    if (first === undefined || pictures <= 0) return [];
    const amount = some.reduce((sum, row) => sum + row.amount, 0);
    const credits = toCost("credits", amount);
    return [{ day, userId: first.userId, command: first.command, credits, pictures }];
  });
  return lines.sort((one, other) => other.credits - one.credits);
}

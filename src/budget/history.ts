import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";
import { toCost } from "./amounts.ts";
import { lastDays, pacificDayAt, utcDayAt } from "./calendar.ts";
import { keyOf } from "./entry.ts";
import type { Bucket, CreditsSpent, Spendable, SpendingLine } from "./types.ts";
import type { Unsaved } from "./unsaved.ts";

/** What guilds spent, as it is stored and as far as it could not be stored yet. */
export interface SpendingHistory {
  units(guildId: string, days: number): Promise<readonly SpendingLine[]>;
  credits(guildId: string, days: number): Promise<readonly CreditsSpent[]>;
}

/** Nothing older is kept. */
const keptDays = 40;

interface Row {
  readonly bucket: Spendable;
  readonly user_id: string;
  readonly project: string;
  readonly command: string;
  readonly method: string;
  readonly amount: number;
  readonly count: number;
}

const ofVideo = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];
const ofImages = ["credits"] as const satisfies readonly Spendable[];

export function createHistory(
  { db, now, servers }: Pick<Database, "db" | "now" | "servers">,
  unsaved: Pick<Unsaved, "save" | "of">,
): SpendingHistory {
  async function rowsOf(
    serverId: number | undefined,
    day: string,
    buckets: readonly Spendable[],
  ): Promise<readonly Row[]> {
    if (serverId === undefined) return [];
    const { rows } = await sql<Row>`
      select bucket, user_id, project, command, method,
        cast(sum(amount) as bigint) as amount, cast(sum(count) as bigint) as count
      from spending
      where server_id = ${serverId} and day = ${day} and bucket in (${sql.join(buckets)})
      group by bucket, user_id, project, command, method
      order by bucket, user_id, project, command, method`.execute(db);
    return rows;
  }

  function unsavedRows(guildId: string, day: string, buckets: readonly Spendable[]): Row[] {
    return unsaved.of(guildId).flatMap(({ entry, amount, count }) => {
      const { userId, ...key } = keyOf(entry, 0);
      if (key.day !== day || !buckets.includes(key.bucket)) return [];
      return [{ ...key, user_id: userId, amount, count }];
    });
  }

  /** A day at a time, with room for other work in between. */
  async function overDays<T>(
    guildId: string,
    { days, buckets }: { days: readonly string[]; buckets: readonly Spendable[] },
    draw: (day: string, rows: readonly Row[]) => readonly T[],
  ): Promise<readonly T[]> {
    await unsaved.save();
    const serverId = await servers.find(guildId);
    const lines: T[] = [];
    for (const day of days) {
      const stored = await rowsOf(serverId, day, buckets);
      lines.push(...draw(day, [...stored, ...unsavedRows(guildId, day, buckets)]));
      await nextTurn();
    }
    return lines;
  }

  const namesOf = (dayAt: typeof utcDayAt, days: number) =>
    lastDays(dayAt, now(), Math.min(days, keptDays + 1)).map(({ name }) => name);

  return {
    units: (guildId, days) =>
      overDays(guildId, { days: namesOf(pacificDayAt, days), buckets: ofVideo }, (day, rows) =>
        rows.flatMap(({ project, bucket, user_id: userId, command, method, amount: spent }) =>
          spent <= 0 || bucket === "credits"
            ? []
            : [{ project, day, bucket, userId, command, method, spent }],
        ),
      ),
    credits: (guildId, days) =>
      overDays(guildId, { days: namesOf(utcDayAt, days), buckets: ofImages }, creditsOf),
  };
}

/** By person and command, whichever account paid; most credits first. */
function creditsOf(day: string, rows: readonly Row[]): readonly CreditsSpent[] {
  const groups = Map.groupBy(rows, ({ user_id, command }) => `${user_id} ${command}`);
  const lines = [...groups.values()].flatMap((some) => {
    const [first] = some;
    const pictures = some.reduce((sum, { count }) => sum + count, 0);
    if (first === undefined || pictures <= 0) return [];
    const amount = some.reduce((sum, row) => sum + row.amount, 0);
    const credits = toCost("credits", amount);
    return [{ day, userId: first.user_id, command: first.command, credits, pictures }];
  });
  return lines.sort((one, other) => other.credits - one.credits);
}

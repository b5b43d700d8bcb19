import { quotaResetAfter } from "../../budget/index.ts";
import { sql } from "../../database/index.ts";
import type { LimitError } from "../../errors.ts";
import { deriveHandle } from "../../store/index.ts";
import { type DecisionCount, toItemId } from "../records/index.ts";
import type { DecideDeps } from "./deps.ts";

/** Counts a decision about each comment; returns errors for those that were decided about too often today. */
export async function countDecisions(
  deps: DecideDeps,
  guildId: string,
  { commentIds, source }: { readonly commentIds: readonly string[]; readonly source: string },
): Promise<ReadonlyMap<string, LimitError>> {
  const { counts } = deps;
  const refused = new Map<string, LimitError>();
  for (const commentId of commentIds) {
    const of = {
      guildId,
      commentId,
      stored: await readStoredCount(deps, { guildId, commentId }, source),
    };
    // Counted with those of all processes, and not forgotten at a restart.
    counts.note(of, await countDirectDecision(deps, of, counts.next(of)));
    const refusal = counts.refusal(of, 1);
    if (refusal !== undefined) refused.set(commentId, refusal);
  }
  return refused;
}

interface CountedDecision {
  readonly guildId: string;
  readonly commentId: string;
}

/** Many a comment has no record of its own. If the database fails, this process counts alone. */
async function countDirectDecision(
  { database, log }: DecideDeps,
  { guildId, commentId }: CountedDecision,
  { day, count }: DecisionCount,
): Promise<DecisionCount> {
  const key = `decided ${deriveHandle(guildId, commentId)}`;
  const endsAt = quotaResetAfter(new Date(database.now())).getTime();
  const isOver = sql`rates.expires_at <= ${database.now()}`;
  try {
    const { rows } = await sql<{ data: string }>`
      insert into rates (key, data, expires_at) values (${key}, ${`${count}`}, ${endsAt})
      on conflict (key) do update set
        data = case when ${isOver} or cast(rates.data as integer) < ${count} - 1 then excluded.data
          else cast(cast(rates.data as integer) + 1 as text) end,
        expires_at = excluded.expires_at
      returning data`.execute(database.db);
    return { day, count: Number(rows[0]?.data ?? count) };
  } catch (error) {
    log.warn("decisions about a comment are counted in memory", { guildId, error });
    return { day, count };
  }
}

/** The count stored with the comment, if a queue has it. A database failure does not block the decision. */
async function readStoredCount(
  { records, log }: DecideDeps,
  { guildId, commentId }: CountedDecision,
  source: string,
): Promise<DecisionCount | undefined> {
  try {
    const everywhere = await records.comments.readInAllWatches(guildId, toItemId(commentId));
    return everywhere.find((one) => one.source === source && one.decisions !== undefined)
      ?.decisions;
  } catch (error) {
    log.warn("earlier decisions about a comment are not known", { guildId, error });
    return undefined;
  }
}

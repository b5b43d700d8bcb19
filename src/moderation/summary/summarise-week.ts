import type { Audit } from "../audit.ts";
import { type AuditEntry, type DecidedAct, isDecided } from "../records/index.ts";
import { createRuleSuggester, type RuleSuggestion } from "./suggest-rules.ts";

/** What happened to a server's comments in a week. Times are milliseconds since the epoch. */
export interface WeekSummary {
  readonly from: number;
  readonly to: number;
  /** How many comments were decided, by what was decided. */
  readonly decided: Readonly<Record<DecidedAct, number>>;
  /** How many of them rules decided by themselves. */
  readonly byRules: number;
  /** Who decided most, the busiest first; at most three. */
  readonly people: readonly { readonly userId: string; readonly count: number }[];
  /** Half of the comments that people decided waited no longer than this; absent if they decided none. */
  readonly medianMs?: number | undefined;
  /** How many comments were decided in the week before. */
  readonly before: number;
  readonly suggestions: readonly RuleSuggestion[];
  /** There were more decisions than are counted. */
  readonly isMore?: true | undefined;
}

const weekMs = 7 * 24 * 3_600_000;
const pageEntries = 250;
/** Enough for a channel with a hundred comments an hour; it bounds the time and the memory of one summary. */
const mostEntries = 20_000;
const mostPeople = 3;

/** Reads a week of the audit log, page after page. @throws ServiceError `store_unavailable` */
export async function summariseWeek(audit: Audit, to: number): Promise<WeekSummary> {
  const from = to - weekMs;
  const decided: Record<DecidedAct, number> = { approved: 0, rejected: 0, banned: 0, held: 0 };
  const people = new Map<string, number>();
  const waits: number[] = [];
  const suggester = createRuleSuggester();
  let byRules = 0;
  const isMore = await eachDecision(audit, { from, to }, (entry) => {
    decided[entry.act] += 1;
    suggester.add(entry);
    if ("ruleId" in entry.by) {
      byRules += 1;
      return;
    }
    people.set(entry.by.userId, (people.get(entry.by.userId) ?? 0) + 1);
    if (entry.seenAt !== undefined) waits.push(Math.max(0, entry.at - entry.seenAt));
  });
  let before = 0;
  await eachDecision(audit, { from: from - weekMs, to: from }, () => {
    before += 1;
  });
  const sorted = waits.toSorted((one, other) => one - other);
  return {
    from,
    to,
    decided,
    byRules,
    before,
    people: [...people]
      .map(([userId, count]) => ({ userId, count }))
      .sort((one, other) => other.count - one.count)
      .slice(0, mostPeople),
    medianMs: sorted[Math.floor((sorted.length - 1) / 2)],
    suggestions: suggester.suggestions(),
    isMore: isMore || undefined,
  };
}

/** Calls `use` for each decision that YouTube took, the latest first; returns whether there were more. */
async function eachDecision(
  audit: Audit,
  { from, to }: Pick<WeekSummary, "from" | "to">,
  use: (entry: AuditEntry & { readonly act: DecidedAct }) => void,
): Promise<boolean> {
  let before: string | undefined;
  for (let read = 0; read < mostEntries; ) {
    const { entries, hasMore } = await audit.page(
      { since: from, until: to - 1 },
      { before, limit: pageEntries },
    );
    for (const entry of entries) if (isDecided(entry)) use(entry);
    if (!hasMore) return false;
    before = entries.at(-1)?.id;
    read += entries.length;
  }
  return true;
}

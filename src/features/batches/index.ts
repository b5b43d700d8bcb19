/** How work on many entries goes on when some of them fail. */

import type { BotError } from "../../errors.ts";

/** Failures of the store, the server or the channel that all entries belong to. */
const codesOfWholeBatch: ReadonlySet<string> = new Set([
  "store_unavailable",
  "guild_erased",
  "cancelled",
  "channel_closed",
  "channel_suspended",
  "channel_forbidden",
  "account_delegation_forbidden",
  "insufficient_capabilities",
]);

/** The most entries in a row that fail alike before the work stops. */
const maxAlike = 3;

/** Whether every other entry would fail the same way. */
export function concernsWholeBatch({ kind, code }: BotError): boolean {
  // A service that asks for a pause may go on after it.
  if (code === "rate_limited") return false;
  return kind === "connect" || kind === "limit" || kind === "config" || codesOfWholeBatch.has(code);
}

/** Whether the entry itself was refused, so that another try would be refused too. */
export function isRefusedForGood(
  error: BotError,
  endsBatch: (error: BotError) => boolean = concernsWholeBatch,
): boolean {
  return (error.kind === "input" || error.kind === "access") && !endsBatch(error);
}

/**
 * Whether to go on with the next entry after these failures in a row. One entry's failure stops nothing, whatever its
 * reason. If several fail alike, for a reason that may pass or that nobody foresaw, the cause is hardly each entry.
 */
export function mayBatchGoOn(
  failuresInRow: readonly BotError[],
  endsBatch: (error: BotError) => boolean = concernsWholeBatch,
): boolean {
  const last = failuresInRow.at(-1);
  if (last === undefined) return true;
  if (endsBatch(last)) return false;
  if (last.kind === "input" && last.facts.said === undefined) return true;
  const alike = failuresInRow.slice(-maxAlike);
  const areAlike = alike.every(
    ({ code, facts }) => code === last.code && facts.said === last.facts.said,
  );
  return alike.length < maxAlike || !areAlike;
}

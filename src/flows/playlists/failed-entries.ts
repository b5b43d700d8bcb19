import type { BotError } from "../../errors.ts";
import { isListClosed } from "./special-list.ts";

/** Failures of the whole playlist, or of the channel. */
const ofAll: ReadonlySet<string> = new Set([
  ...["playlist_contains_maximum_number_of_videos", "invalid_playlist_item_position"],
  ...["special_list_sorted", "uploads_not_changeable"],
  ...["channel_closed", "channel_suspended", "channel_forbidden"],
  ...["account_delegation_forbidden", "insufficient_capabilities"],
  ...["store_unavailable", "guild_erased"],
]);

/** Failures of one entry, however many entries have them. */
const ofOne: ReadonlySet<string> = new Set([
  ...["video_not_found", "video_already_in_playlist", "invalid_resource_type"],
  "playlist_item_not_found",
]);

/** The most entries in a row that fail alike before the work stops. Each try of a write costs 50 units. */
const maxAlike = 3;

/** Whether every other entry would fail the same way. */
export function concernsAllEntries(error: BotError): boolean {
  const { kind, code } = error;
  if (kind === "connect" || kind === "limit" || kind === "config") return true;
  return ofAll.has(code) || isListClosed(error);
}

/** Whether the service refused this entry, so that another try would be refused too. */
export function isEntryRefused(error: BotError): boolean {
  const isRefusal = error.kind === "input" || error.kind === "access";
  return isRefusal && !concernsAllEntries(error);
}

/**
 * Whether to go on with the next entry after these failures in a row. One entry's failure stops nothing, whatever its
 * reason; several that fail alike are hardly a matter of each entry.
 */
export function isWorthGoingOn(inRow: readonly BotError[]): boolean {
  const last = inRow.at(-1);
  if (last === undefined) return true;
  if (concernsAllEntries(last)) return false;
  if (ofOne.has(last.code)) return true;
  const alike = inRow.slice(-maxAlike);
  return alike.length < maxAlike || alike.some((error) => !isAlike(error, last));
}

function isAlike(one: BotError, other: BotError): boolean {
  return one.code === other.code && one.facts.said === other.facts.said;
}

import type { BotError } from "../../errors.ts";
import { concernsWholeBatch, isRefusedForGood } from "../batches/index.ts";
import { isListClosed } from "./special-list.ts";

const codesOfWholePlaylist: ReadonlySet<string> = new Set([
  "playlist_contains_maximum_number_of_videos",
  "invalid_playlist_item_position",
  "special_list_sorted",
  "uploads_not_changeable",
]);

/** Whether every other entry would fail the same way. */
export function concernsAllEntries(error: BotError): boolean {
  return concernsWholeBatch(error) || codesOfWholePlaylist.has(error.code) || isListClosed(error);
}

/** Whether YouTube refused this entry, so that another try would be refused too. */
export function isEntryRefused(error: BotError): boolean {
  return isRefusedForGood(error, concernsAllEntries);
}

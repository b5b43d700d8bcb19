import { link, notice, type Reply, type Text, type Words } from "../../discord/index.ts";
import { AccessError, BotError, InputError } from "../../errors.ts";
import {
  findSpecialList,
  ownerOnlyListIds,
  type SpecialList,
  youtubePages,
} from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";

/** Which of YouTube's own lists of the linked channel an id refers to; undefined for any other playlist. */
export function specialListOfChannel(
  { channelId }: Pick<Ctx, "channelId">,
  playlistId: string,
): SpecialList | undefined {
  const whose = playlistId.slice(2);
  return whose === "" || whose === channelId?.slice(2) ? findSpecialList(playlistId) : undefined;
}

/** A name from our texts, because YouTube names these lists in one language only, or not at all. */
export function specialListName(list: SpecialList, words: Words): string {
  return words.say(`playlists.special.names.${list}`);
}

/** Where the owner can always see these lists. */
const onSite = {
  likes: youtubePages.playlist(ownerOnlyListIds.likes),
  watchHistory: youtubePages.watchHistory,
  watchLater: youtubePages.playlist(ownerOnlyListIds.watchLater),
} as const;

/** YouTube's own lists that it shows to the owner alone, if at all. */
export type OwnersList = keyof typeof onSite;

/** Says that YouTube does not show the list to apps, and links to it on the site. */
export function closedListNotice(list: OwnersList, words: Words): Reply {
  return notice({
    tone: "neutral",
    title: words.say("playlists.special.closed", { list: specialListName(list, words) }),
    text: words.say("playlists.special.closed_text"),
    buttons: [{ label: words.say("playlists.special.open"), url: onSite[list] }],
    isPrivate: true,
  });
}

/** YouTube may return a closed list as if it were empty, so this links to the list on the site. */
export function describeEmptyList(list: OwnersList, words: Words): Text {
  const site = link(words.say("playlists.special.open"), onSite[list]);
  return words.md("playlists.special.empty", { site });
}

/** Calls that YouTube may refuse for its own lists. */
type ItemsMethod =
  | "playlistItems.list"
  | "playlistItems.insert"
  | "playlistItems.update"
  | "playlistItems.delete";

const closing: ReadonlySet<string> = new Set([
  ...["playlist_not_found", "playlist_forbidden", "playlist_items_not_accessible"],
  ...["playlist_operation_unsupported", "manual_sort_required"],
  ...["likes_not_accessible", "watch_history_not_accessible", "watch_later_not_accessible"],
]);

/** Whether YouTube says that the list can't be read or changed by apps. */
export function isListClosed(error: unknown): boolean {
  return error instanceof BotError && closing.has(error.code);
}

/**
 * Runs a call about the entries of a playlist. If YouTube refuses it for one of its own lists, the error names the
 * list.
 * @throws AccessError `watch_history_not_accessible`, `watch_later_not_accessible`, `likes_not_accessible`; InputError
 * `special_list_sorted`, `uploads_not_changeable`
 */
export async function nameRefusedList<T>(
  list: SpecialList | undefined,
  method: ItemsMethod,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (list === undefined || !isListClosed(error)) throw error;
    throw listError(list, method, error as BotError);
  }
}

/** The error for a call that YouTube refuses, or is known to refuse, for one of its own lists. */
export function listError(
  list: SpecialList,
  method: ItemsMethod,
  cause?: BotError,
): AccessError | InputError {
  const why = `${method}: YouTube keeps the list ${list} as it is`;
  const facts = { method, list };
  if (cause?.code === "manual_sort_required") {
    return new InputError(why, { code: "special_list_sorted", facts, cause });
  }
  if (list === "uploads") {
    const command = method === "playlistItems.insert" ? "videos upload" : "videos delete";
    return new InputError(why, {
      code: "uploads_not_changeable",
      facts: { ...facts, command },
      cause,
    });
  }
  return new AccessError(why, {
    code: closedCodes[list],
    facts: { ...facts, command: "videos rate" },
    cause,
  });
}

const closedCodes = {
  likes: "likes_not_accessible",
  watchHistory: "watch_history_not_accessible",
  watchLater: "watch_later_not_accessible",
} as const;

import {
  type Ctx,
  link,
  notice,
  pages,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { AccessError, BotError, InputError } from "../../errors.ts";
import { ownersLists, type SpecialList, specialListOf } from "../../video/index.ts";

/** Which of the service's own lists an id refers to for the acting channel; undefined for every other playlist. */
export function ownSpecial(
  { channelId }: Pick<Ctx, "channelId">,
  playlistId: string,
): SpecialList | undefined {
  const whose = playlistId.slice(2);
  return whose === "" || whose === channelId?.slice(2) ? specialListOf(playlistId) : undefined;
}

/** Our own names: the service names these lists in one language, or not at all. */
export function specialName(list: SpecialList, words: Words): string {
  return words.say(`playlists.special.names.${list}`);
}

/** Where their owner always finds them. */
const onSite = {
  likes: pages.playlist(ownersLists.likes),
  watchHistory: pages.watchHistory,
  watchLater: pages.playlist(ownersLists.watchLater),
} as const;

/** Lists of the service that it shows to their owner alone, where it shows them at all. */
export type WatchedList = keyof typeof onSite;

/** Says that the service does not show the list to apps, and links to it on the site. */
export function closedNotice(list: WatchedList, words: Words): Reply {
  return notice({
    tone: "info",
    title: words.say("playlists.special.closed", { list: specialName(list, words) }),
    text: words.say("playlists.special.closed_text"),
    buttons: [{ label: words.say("playlists.special.open"), url: onSite[list] }],
    isPrivate: true,
  });
}

/** The service may also return a closed list as if it were empty (facts, section 9). */
export function emptySpecial(list: WatchedList, words: Words): Text {
  const site = link(words.say("playlists.special.open"), onSite[list]);
  return words.md("playlists.special.empty", { site });
}

/** Calls that the service may refuse for its own lists. */
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

/** Whether the service says that the list can't be read or changed by apps. */
export function isClosing(error: unknown): boolean {
  return error instanceof BotError && closing.has(error.code);
}

/**
 * Does something with the entries of a playlist; where the service refuses that for one of its own lists, the error
 * names the list.
 * @throws AccessError `watch_history_not_accessible`, `watch_later_not_accessible`, `likes_not_accessible`; InputError
 * `special_list_sorted`, `uploads_not_changeable`
 */
export async function byName<T>(
  list: SpecialList | undefined,
  method: ItemsMethod,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (list === undefined || !isClosing(error)) throw error;
    throw refusedList(list, method, error as BotError);
  }
}

/** What the service refuses, or is known to refuse, for one of its lists. */
export function refusedList(
  list: SpecialList,
  method: ItemsMethod,
  cause?: BotError,
): AccessError | InputError {
  const why = `${method}: the service keeps the list ${list} as it is`;
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

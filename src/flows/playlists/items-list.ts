import {
  type Browse,
  type Button,
  browse,
  cut,
  type Item,
  link,
  named,
  pages,
  presses,
  reaches,
  since,
  smallThumbnail,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { PlaylistItem } from "../../video/index.ts";
import { factLine, picture } from "./lines.ts";
import { emptySpecial, type WatchedList } from "./special.ts";

/** The entries of one playlist, or entries by their own ids; JSON-shaped. */
export type ItemsQuery = {
  /** Of what only the channel itself sees, such as its likes. */
  readonly isPrivate?: boolean;
} & (
  | {
      readonly playlistId: string;
      readonly name: string;
      readonly videoId?: string | undefined;
      /** Which of the service's own lists it is. */
      readonly special?: WatchedList;
    }
  | { readonly ids: readonly string[] }
);

export const itemsList: Browse<ItemsQuery> = browse<"playlistItems.list", ItemsQuery>({
  name: "playlists.turn-items",
  row: "playlistItems.list",
  params: (query) => {
    const part = ["snippet", "contentDetails", "status"] as const;
    if ("ids" in query) return { part, id: query.ids };
    const { playlistId, videoId } = query;
    return { part, playlistId, ...(videoId === undefined ? {} : { videoId }) };
  },
  title: (query, words) =>
    "ids" in query ? words.say("playlists.show.chosen") : cut(query.name, 100),
  item: (item, { words, ctx, query }) =>
    drawItem(item, words, { isManager: reaches(ctx.rank, "manager"), isAlone: "ids" in query }),
  empty: (words, query) => {
    if ("ids" in query) return words.say("playlists.show.none_of_these");
    const { special, videoId } = query;
    // Where the service may only pretend that nothing is there, it can't be told what is not in it either.
    if (special === "watchHistory" || special === "watchLater") return emptySpecial(special, words);
    return words.say(videoId === undefined ? "playlists.show.empty" : "playlists.show.absent");
  },
  columns: {
    place: ({ snippet }) => (snippet?.position ?? 0) + 1,
    title: ({ snippet }) => snippet?.title,
    videoId: ({ contentDetails }) => contentDetails?.videoId,
    channel: ({ snippet }) => snippet?.videoOwnerChannelTitle,
    channelId: ({ snippet }) => snippet?.videoOwnerChannelId,
    addedAt: ({ snippet }) => snippet?.publishedAt,
    publishedAt: ({ contentDetails }) => contentDetails?.videoPublishedAt,
    privacy: ({ status }) => status?.privacyStatus,
    note: ({ contentDetails }) => contentDetails?.note,
    itemId: ({ id }) => id,
    playlistId: ({ snippet }) => snippet?.playlistId,
    url: ({ contentDetails }) =>
      contentDetails?.videoId === undefined ? undefined : pages.video(contentDetails.videoId),
  },
  isPrivate: ({ isPrivate }) => isPrivate === true,
});

interface Drawn {
  readonly isManager: boolean;
  /** Away from its playlist, which is linked then. */
  readonly isAlone: boolean;
}

function drawItem(item: PlaylistItem, words: Words, { isManager, isAlone }: Drawn): Item {
  const { snippet, contentDetails, status } = item;
  const id = contentDetails?.videoId ?? snippet?.resourceId?.videoId ?? "";
  const place = (snippet?.position ?? 0) + 1;
  const title = snippet?.title ?? words.say("common.untitled");
  const owner = snippet?.videoOwnerChannelTitle;
  const privacy = status?.privacyStatus;
  const added = since(snippet?.publishedAt);
  const facts: readonly (Text | undefined)[] = [
    owner === undefined ? undefined : cut(owner, 60),
    privacy === "private" || privacy === "unlisted"
      ? named(words, "privacyStatus", privacy)
      : undefined,
    added === undefined ? undefined : words.md("playlists.show.added", { when: added }),
    isAlone && snippet?.playlistId !== undefined
      ? link(words.say("playlists.show.playlist"), pages.playlist(snippet.playlistId))
      : undefined,
  ];
  return {
    title: link(cut(`${words.number(place)}. ${title}`, 90), pages.video(id)),
    lines: [...factLine(facts), ...(contentDetails?.note ? [cut(contentDetails.note, 280)] : [])],
    ...picture(title, smallThumbnail(snippet?.thumbnails), words),
    // An entry whose video is gone keeps its place and tells no owner.
    ...(owner === undefined ? {} : { buttons: buttonsOf(id, words, isManager) }),
  };
}

function buttonsOf(id: string, words: Words, isManager: boolean): readonly Button[] {
  const details = { label: words.say("cards.details"), press: presses.video.details(id) };
  if (!isManager) return [details];
  const press = presses.video.addToPlaylist([id]);
  return [details, { label: words.say("cards.add_to_playlist"), press }];
}

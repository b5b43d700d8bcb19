import { largeThumbnail, type Playlist } from "../../../video/index.ts";
import { pages } from "../links.ts";
import { presses } from "../presses.ts";
import { type Card, card } from "../reply.ts";
import { cut } from "../text.ts";
import type { Words } from "../words.ts";
import { named, present, published } from "./fields.ts";
import type { CardFor } from "./video.ts";

export const playlistParts = ["snippet", "contentDetails", "status"] as const;

/** Most are none, which is not worth a word. */
function podcastOf({ status }: Playlist, words: Words): string | undefined {
  const state = status?.podcastStatus;
  return state === "disabled" ? undefined : named(words, "podcastStatus", state);
}

export function playlistCard(playlist: Playlist, { words, isManager = false }: CardFor): Card {
  const { snippet, contentDetails, status, id = "" } = playlist;
  const image = largeThumbnail(snippet?.thumbnails);
  const description = snippet?.localized?.description ?? snippet?.description;
  return card({
    title: snippet?.localized?.title ?? snippet?.title ?? words.say("common.untitled"),
    url: pages.playlist(id),
    ...(snippet?.channelTitle === undefined || snippet.channelId === undefined
      ? {}
      : { author: { name: snippet.channelTitle, url: pages.channel(snippet.channelId) } }),
    ...(description ? { text: cut(description, 600) } : {}),
    fields: present(words, [
      ["cards.videos", words.short(contentDetails?.itemCount)],
      ["cards.created", published(snippet?.publishedAt)],
      ["cards.privacy", named(words, "privacyStatus", status?.privacyStatus)],
      ["playlists.form.podcast", podcastOf(playlist, words)],
    ]),
    ...(image === undefined ? {} : { image }),
    ...(status?.privacyStatus === "private" ? { isPrivate: true } : {}),
    buttons: [
      { label: words.say("common.open"), url: pages.playlist(id) },
      { label: words.say("cards.videos"), press: presses.playlist.items(id) },
      ...(isManager
        ? [
            { label: words.say("cards.edit"), press: presses.playlist.edit(id) },
            {
              label: words.say("cards.delete"),
              style: "danger" as const,
              press: presses.playlist.remove(id),
            },
          ]
        : []),
    ],
  });
}

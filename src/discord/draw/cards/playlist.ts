import { largeThumbnail, type Playlist } from "../../../video/index.ts";
import { pages } from "../links.ts";
import { presses } from "../presses.ts";
import { type Card, card } from "../reply.ts";
import type { Words } from "../words.ts";
import { headOf, named, ownerOf, present, published } from "./fields.ts";
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
  return card({
    ...headOf(snippet, words),
    url: pages.playlist(id),
    ...ownerOf(snippet),
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

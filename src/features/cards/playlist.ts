import { type Card, card, type Words } from "../../discord/index.ts";
import { largeThumbnail, type Playlist, pages } from "../../video/index.ts";
import { cardAuthor, cardHead, formatPublished, presentFields, valueName } from "./fields.ts";
import { presses } from "./presses.ts";
import type { CardFor } from "./video.ts";

export const playlistParts = ["snippet", "contentDetails", "status"] as const;

/** Undefined for a playlist that is no podcast, because most are none. */
function describePodcast({ status }: Playlist, words: Words): string | undefined {
  const state = status?.podcastStatus;
  return state === "disabled" ? undefined : valueName(words, "podcastStatus", state);
}

export function playlistCard(playlist: Playlist, { words, isManager = false }: CardFor): Card {
  const { snippet, contentDetails, status, id = "" } = playlist;
  const image = largeThumbnail(snippet?.thumbnails);
  return card({
    ...cardHead(snippet, words),
    url: pages.playlist(id),
    ...cardAuthor(snippet),
    fields: presentFields(words, [
      ["cards.videos", words.short(contentDetails?.itemCount)],
      ["cards.created", formatPublished(snippet?.publishedAt)],
      ["cards.privacy", valueName(words, "privacyStatus", status?.privacyStatus)],
      ["playlists.form.podcast", describePodcast(playlist, words)],
    ]),
    image,
    isPrivate: status?.privacyStatus === "private",
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

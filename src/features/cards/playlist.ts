import { type Card, card } from "../../discord/index.ts";
import { largeThumbnail, type Playlist, youtubePages } from "../../video/index.ts";
import { cardAuthor, cardHead, formatPublished, presentFields, valueName } from "./fields.ts";
import { presses } from "./presses.ts";
import type { CardFor } from "./video.ts";

export const playlistParts = ["snippet", "contentDetails", "status"] as const;

export function playlistCard(playlist: Playlist, { words, isManager = false }: CardFor): Card {
  const { snippet, contentDetails, status, id = "" } = playlist;
  const image = largeThumbnail(snippet?.thumbnails);
  // Most playlists are no podcasts, which needs no field.
  const podcast = status?.podcastStatus === "disabled" ? undefined : status?.podcastStatus;
  return card({
    ...cardHead(snippet, words),
    url: youtubePages.playlist(id),
    ...cardAuthor(snippet),
    fields: presentFields(words, [
      ["cards.videos", words.short(contentDetails?.itemCount)],
      ["cards.created", formatPublished(snippet?.publishedAt)],
      ["cards.privacy", valueName(words, "privacyStatus", status?.privacyStatus)],
      ["playlists.form.podcast", valueName(words, "podcastStatus", podcast)],
    ]),
    image,
    isPrivate: status?.privacyStatus === "private",
    buttons: [
      { label: words.say("common.open"), url: youtubePages.playlist(id) },
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

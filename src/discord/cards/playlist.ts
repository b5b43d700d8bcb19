import type { Playlist } from "../../video/index.ts";
import { pages } from "../links.ts";
import { type Card, card } from "../reply.ts";
import { cut } from "../text.ts";
import { shortNumber } from "./numbers.ts";
import { largeThumbnail } from "./thumbnail.ts";
import { present, published } from "./video.ts";

export function playlistCard(playlist: Playlist, locale: string): Card {
  const { snippet, contentDetails, status, id = "" } = playlist;
  const image = largeThumbnail(snippet?.thumbnails);
  return card({
    title: snippet?.title ?? "Untitled playlist",
    url: pages.playlist(id),
    ...(snippet?.channelTitle === undefined || snippet.channelId === undefined
      ? {}
      : { author: { name: snippet.channelTitle, url: pages.channel(snippet.channelId) } }),
    ...(snippet?.description ? { text: cut(snippet.description, 600) } : {}),
    fields: present([
      ["Videos", shortNumber(contentDetails?.itemCount, locale)],
      ["Created", published(snippet?.publishedAt)],
      ["Privacy", status?.privacyStatus],
    ]),
    ...(image === undefined ? {} : { image }),
    buttons: [{ label: "Open", url: pages.playlist(id) }],
  });
}

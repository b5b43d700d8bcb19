import type { Channel } from "../../video/index.ts";
import { pages } from "../links.ts";
import { type Card, card } from "../reply.ts";
import { cut } from "../text.ts";
import { shortNumber } from "./numbers.ts";
import { smallThumbnail } from "./thumbnail.ts";
import { present, published } from "./video.ts";

export function channelCard(channel: Channel, locale: string): Card {
  const { snippet, statistics, id = "" } = channel;
  const thumbnail = smallThumbnail(snippet?.thumbnails);
  return card({
    title: snippet?.title ?? "Untitled channel",
    url: pages.channel(id),
    ...(snippet?.description ? { text: cut(snippet.description, 600) } : {}),
    fields: present([
      ["Subscribers", shortNumber(statistics?.subscriberCount, locale)],
      ["Videos", shortNumber(statistics?.videoCount, locale)],
      ["Views", shortNumber(statistics?.viewCount, locale)],
      ["Since", published(snippet?.publishedAt)],
    ]),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    buttons: [{ label: "Open", url: pages.channel(id) }],
  });
}

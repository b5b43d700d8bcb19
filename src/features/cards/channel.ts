import { type Card, card } from "../../discord/index.ts";
import { type Channel, smallThumbnail, youtubePages } from "../../video/index.ts";
import { cardHead, formatPublished, presentFields } from "./fields.ts";
import { presses } from "./presses.ts";
import type { CardFor } from "./video.ts";

export const channelParts = ["snippet", "statistics", "brandingSettings"] as const;

export function channelCard(
  channel: Channel,
  { words, isManager = false, channelId }: CardFor,
): Card {
  const { snippet, statistics, brandingSettings, id = "" } = channel;
  const banner = brandingSettings?.image?.bannerExternalUrl;
  const country = snippet?.country;
  return card({
    ...cardHead(snippet, words),
    url: youtubePages.channel(id),
    fields: presentFields(words, [
      ["cards.subscribers", words.short(statistics?.subscriberCount)],
      ["cards.videos", words.short(statistics?.videoCount)],
      ["cards.views", words.short(statistics?.viewCount)],
      ["cards.since", formatPublished(snippet?.publishedAt)],
      ["cards.country", country === undefined ? undefined : words.country(country)],
      ["cards.handle", snippet?.customUrl],
    ]),
    thumbnail: smallThumbnail(snippet?.thumbnails),
    image: banner !== undefined && /^https?:/u.test(banner) ? banner : undefined,
    buttons: [
      { label: words.say("common.open"), url: youtubePages.channel(id) },
      { label: words.say("cards.uploads"), press: presses.channel.uploads(id) },
      { label: words.say("cards.playlists"), press: presses.channel.playlists(id) },
      { label: words.say("cards.sections"), press: presses.channel.sections(id) },
      // Nobody subscribes to their own channel.
      ...(isManager && id !== channelId
        ? [{ label: words.say("cards.subscribe"), press: presses.channel.subscribe(id) }]
        : []),
    ],
  });
}

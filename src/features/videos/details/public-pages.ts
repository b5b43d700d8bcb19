import { codeBlock, cut, join, link, md, type Text, type Words } from "../../../discord/index.ts";
import {
  largeThumbnail,
  listThumbnails,
  type NamedThumbnail,
  type Video,
  youtubePages,
} from "../../../video/index.ts";
import { decodeAddress } from "../../../video-links/index.ts";
import { formatMoment, formatPublished, valueName, yesNo } from "../../cards/index.ts";
import { type DrawDetails, drawDetailsRows } from "./details-page.ts";

type VideoContentDetails = NonNullable<Video["contentDetails"]>;

/** Title and description, in the video's language and in the person's. */
export const drawTexts: DrawDetails = ({ snippet = {} }, { words, categories }) => {
  const { title, description, localized, channelId, channelTitle, categoryId } = snippet;
  const differs = (text: string | undefined, own: string | undefined) =>
    text === own ? undefined : text;
  const { fields } = drawDetailsRows(words, [
    ["video-details.localized_title", differs(localized?.title, title)],
    ["video-details.localized_description", differs(localized?.description, description)],
    [
      "video-details.channel",
      channelId === undefined
        ? channelTitle
        : link(channelTitle ?? channelId, youtubePages.channel(channelId)),
    ],
    ["cards.published", formatMoment(snippet.publishedAt)],
    ["video-details.category", categories.get(categoryId ?? "") ?? categoryId],
    ["video-details.language", snippet.defaultLanguage && words.language(snippet.defaultLanguage)],
    [
      "video-details.audio_language",
      snippet.defaultAudioLanguage && words.language(snippet.defaultAudioLanguage),
    ],
    ["video-details.live", valueName(words, "live", snippet.liveBroadcastContent)],
    ["cards.tags", snippet.tags?.join(", ")],
  ]);
  return { text: description, fields };
};

export const drawContents: DrawDetails = ({ contentDetails = {} }, { words }) => {
  const { regionRestriction, countryRestriction } = contentDetails;
  // The older field names the exceptions to a rule.
  const { allowed, exception = [] } = countryRestriction ?? {};
  const allowedIn = [
    ...(regionRestriction?.allowed ?? []),
    ...(allowed === false ? exception : []),
  ];
  const blockedIn = [...(regionRestriction?.blocked ?? []), ...(allowed === true ? exception : [])];
  return drawDetailsRows(words, [
    ["cards.length", words.length(contentDetails.duration)],
    [
      "video-details.quality",
      contentDetails.definition && valueName(words, "quality", contentDetails.definition),
    ],
    ["video-details.dimension", valueName(words, "dimension", contentDetails.dimension)],
    ["video-details.projection", valueName(words, "projection", contentDetails.projection)],
    [
      "cards.has_captions",
      contentDetails.caption && yesNo(words, contentDetails.caption === "true"),
    ],
    ["video-details.licensed", yesNo(words, contentDetails.licensedContent)],
    ["video-details.own_thumbnail", yesNo(words, contentDetails.hasCustomThumbnail)],
    ["video-details.allowed_in", countries(allowedIn, words)],
    ["video-details.blocked_in", countries(blockedIn, words)],
    ["video-details.age_rating", ratings(contentDetails.contentRating, words)],
  ]);
};

function countries(codes: readonly string[], words: Words): string | undefined {
  const names = [...new Set(codes)].map((code) => words.country(code));
  return names.length === 0 ? undefined : words.list(names);
}

/** `FSK: 12`, `MPAA: PG13`: the rating of each organisation. */
function ratings(rating: VideoContentDetails["contentRating"], words: Words): string | undefined {
  const lines = Object.entries(rating ?? {}).map(([name, value]) => {
    const body = name.replace(/Rating(?:Reasons)?$/u, "");
    const names = [value].flat().map((one) => {
      const rest = one.startsWith(body) ? one.slice(body.length) : one;
      const reason = `${rest.charAt(0).toLowerCase()}${rest.slice(1)}`;
      const known =
        words.find(`choices.age_rating.${one}`) ?? words.find(`choices.age_rating.${reason}`);
      return known ?? rest.replace("plus", "+").toUpperCase();
    });
    return body === "yt" ? names.join(", ") : `${body.toUpperCase()}: ${names.join(", ")}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n");
}

export const drawLive: DrawDetails = ({ liveStreamingDetails: details = {} }, { words }) =>
  drawDetailsRows(words, [
    ["video-details.planned_start", formatMoment(details.scheduledStartTime)],
    ["video-details.planned_end", formatMoment(details.scheduledEndTime)],
    ["video-details.started", formatMoment(details.actualStartTime)],
    ["video-details.ended", formatMoment(details.actualEndTime)],
    [
      "video-details.viewers_now",
      details.concurrentViewers && words.number(BigInt(details.concurrentViewers)),
    ],
    ["video-details.chat_id", details.activeLiveChatId],
  ]);

export const drawRecording: DrawDetails = ({ recordingDetails = {} }, { words }) => {
  const { recordingDate, locationDescription, location } = recordingDetails;
  const { latitude, longitude, altitude } = location ?? {};
  const degrees = (angle: number | undefined) =>
    angle === undefined
      ? undefined
      : new Intl.NumberFormat(words.tag, { maximumFractionDigits: 6 }).format(angle);
  const metres = new Intl.NumberFormat(words.tag, { style: "unit", unit: "meter" });
  return drawDetailsRows(words, [
    ["video-details.recorded", formatPublished(recordingDate)],
    ["video-details.place", locationDescription],
    ["video-details.latitude", degrees(latitude)],
    ["video-details.longitude", degrees(longitude)],
    ["video-details.altitude", altitude === undefined ? undefined : metres.format(altitude)],
  ]);
};

/** An embed has at most 25 fields. If a video has more languages, the list's JSON file has all of them. */
export const drawLocalizations: DrawDetails = ({ localizations: all = {} }, { words }) => ({
  fields: Object.entries(all).map(([code, { title = "", description = "" }]) => ({
    name: words.language(code),
    value: description === "" ? md`**${title}**` : md`**${title}**\n${cut(description, 900)}`,
  })),
});

export const drawNumbers: DrawDetails = ({ statistics = {} }, { words }) =>
  drawDetailsRows(words, [
    ["cards.views", formatCount(statistics.viewCount, words)],
    ["cards.likes", formatCount(statistics.likeCount, words)],
    ["video-details.dislikes", formatCount(statistics.dislikeCount, words)],
    ["cards.comments", formatCount(statistics.commentCount, words)],
    ["video-details.favorites", formatCount(statistics.favoriteCount, words)],
  ]);

/** 1,234,567, of a decimal string or a number; undefined for anything else. */
function formatCount(count: string | undefined, words: Words): string | undefined {
  return /^\d+$/u.test(count ?? "") ? words.number(BigInt(count ?? 0)) : undefined;
}

/** The player for other sites. YouTube says how large it is only to those who ask for a size. */
export const drawPlayer: DrawDetails = ({ player: shown = {} }, { words }) => {
  const { embedHtml, embedWidth, embedHeight } = shown;
  const { fields } = drawDetailsRows(words, [
    ["video-details.player_width", formatCount(embedWidth, words)],
    ["video-details.player_height", formatCount(embedHeight, words)],
  ]);
  const hint = words.md("video-details.player_hint", { command: words.mention("videos player") });
  const code: readonly Text[] = embedHtml === undefined ? [] : [codeBlock(cut(embedHtml, 1500))];
  return { text: join([...code, hint]), fields };
};

/** Only articles of Wikipedia become links. */
const article = /^https:\/\/[a-z-]{2,12}\.wikipedia\.org\/wiki\/([^/?#]+)$/u;

export const drawTopics: DrawDetails = ({ topicDetails = {} }, { words }) =>
  drawDetailsRows(words, [
    [
      "video-details.topics",
      topicDetails.topicCategories &&
        join(
          topicDetails.topicCategories.map((address) => {
            const name = article.exec(address)?.[1];
            if (name === undefined) return address;
            return link(decodeAddress(name).replaceAll("_", " "), address);
          }),
        ),
    ],
    ["video-details.topic_ids", topicDetails.topicIds?.join(", ")],
    ["video-details.related_topic_ids", topicDetails.relevantTopicIds?.join(", ")],
  ]);

export const drawPromotion: DrawDetails = (video, { words }) => {
  const { paidProductPlacementDetails: paid, brandPartner } = video;
  const { channelId, channelHandle } = brandPartner ?? {};
  return drawDetailsRows(words, [
    ["video-details.paid_promotion", yesNo(words, paid?.hasPaidProductPlacement)],
    [
      "video-details.partner",
      channelId === undefined
        ? channelHandle
        : link(channelHandle ?? channelId, youtubePages.channel(channelId)),
    ],
  ]);
};

/** All sizes of the thumbnail, each with a button; the largest is shown. */
export const drawPictures: DrawDetails = ({ snippet }, { words }) => {
  const all = listThumbnails(snippet?.thumbnails);
  const sizes = all.map((one) => {
    const facts = [valueName(words, "thumbnail_size", one.size), describeMeasures(one)];
    return facts.filter(Boolean).join(" · ");
  });
  return {
    text: sizes.join("\n"),
    fields: [],
    image: largeThumbnail(snippet?.thumbnails),
    buttons: all
      .filter(({ url }) => url.length <= maxUrlChars)
      .map((one) => ({ label: describeMeasures(one) ?? one.size, url: one.url })),
  };
};

/** https://docs.discord.com/developers/components/reference#button */
const maxUrlChars = 512;

function describeMeasures({ width, height }: NamedThumbnail): string | undefined {
  return width === undefined || height === undefined ? undefined : `${width} × ${height}`;
}

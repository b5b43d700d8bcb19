import {
  codeBlock,
  cut,
  join,
  link,
  named,
  pages,
  type Text,
  yesNo,
} from "../../../discord/index.ts";
import { largeThumbnail, type NamedThumbnail, thumbnailsOf } from "../../../video/index.ts";
import { type DrawDetails, formatCount, rowsOf } from "./drawn.ts";

export const drawNumbers: DrawDetails = ({ statistics = {} }, { words }) =>
  rowsOf(words, [
    ["cards.views", formatCount(statistics.viewCount, words)],
    ["cards.likes", formatCount(statistics.likeCount, words)],
    ["video-details.dislikes", formatCount(statistics.dislikeCount, words)],
    ["cards.comments", formatCount(statistics.commentCount, words)],
    ["video-details.favorites", formatCount(statistics.favoriteCount, words)],
  ]);

/** What other sites show it with; its measures are told to those who say how large it may be. */
export const drawPlayer: DrawDetails = ({ player: shown = {} }, { words }) => {
  const { embedHtml, embedWidth, embedHeight } = shown;
  const { fields } = rowsOf(words, [
    ["video-details.player_width", formatCount(embedWidth, words)],
    ["video-details.player_height", formatCount(embedHeight, words)],
  ]);
  const hint = words.say("video-details.player_hint", { command: words.command("videos player") });
  const code: readonly Text[] = embedHtml === undefined ? [] : [codeBlock(cut(embedHtml, 1500))];
  return { text: join([...code, hint], "\n"), fields };
};

export const drawTopics: DrawDetails = ({ topicDetails = {} }, { words }) =>
  rowsOf(words, [
    [
      "video-details.topics",
      topicDetails.topicCategories && join(topicDetails.topicCategories.map(articleOf), "\n"),
    ],
    ["video-details.topic_ids", topicDetails.topicIds?.join(", ")],
    ["video-details.related_topic_ids", topicDetails.relevantTopicIds?.join(", ")],
  ]);

const article = /^https:\/\/[a-z-]{2,12}\.wikipedia\.org\/wiki\/([^/?#]+)$/u;

/** Only the encyclopedia's own articles become links. */
function articleOf(address: string): Text {
  const name = article.exec(address)?.[1];
  return name === undefined ? address : link(decoded(name).replaceAll("_", " "), address);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const drawPromotion: DrawDetails = (video, { words }) => {
  const { paidProductPlacementDetails: paid, brandPartner } = video;
  const { channelId, channelHandle } = brandPartner ?? {};
  return rowsOf(words, [
    ["video-details.paid_promotion", yesNo(words, paid?.hasPaidProductPlacement)],
    [
      "video-details.partner",
      channelId === undefined
        ? channelHandle
        : link(channelHandle ?? channelId, pages.channel(channelId)),
    ],
  ]);
};

/** Every size, each a press away; the largest of them is shown. */
export const drawPictures: DrawDetails = ({ snippet }, { words }) => {
  const all = thumbnailsOf(snippet?.thumbnails);
  const sizes = all.map((one) => {
    const facts = [named(words, "thumbnail_size", one.size), measuresOf(one)];
    return facts.filter(Boolean).join(" · ");
  });
  return {
    text: sizes.join("\n"),
    fields: [],
    image: largeThumbnail(snippet?.thumbnails),
    buttons: all
      .filter(({ url }) => url.length <= longestUrl)
      .map((one) => ({ label: measuresOf(one) ?? one.size, url: one.url })),
  };
};

/** https://docs.discord.com/developers/components/reference#button */
const longestUrl = 512;

function measuresOf({ width, height }: NamedThumbnail): string | undefined {
  return width === undefined || height === undefined ? undefined : `${width} × ${height}`;
}

import { type Parts, toResource } from "../answer.ts";
import type { Call } from "../call.ts";
import { allLocalizations, localizedTexts, toTimestamp } from "../locale.ts";
import { channelThumbnails } from "../thumbnails/index.ts";
import {
  type Channel,
  historyId,
  likesId,
  uploadsId,
  type Video,
  watchLaterId,
} from "../world/index.ts";

export const kind = "youtube#channel";

/** Parts that a channel shows to its owner alone. */
export const ownerParts: readonly string[] = [
  "auditDetails",
  "contentOwnerDetails",
  "invideoPromotion",
];

/** A channel as `part` asks for it. */
export function toChannel(call: Call, channel: Channel): object {
  return toResource(call, { kind, id: channel.id, thing: channel, parts });
}

const parts: Parts<Channel> = {
  snippet: (channel, call) => ({
    title: channel.title,
    description: channel.description,
    customUrl: channel.handle,
    publishedAt: toTimestamp(channel.publishedAt),
    thumbnails: channelThumbnails(call.origin, channel.id),
    ...(channel.language !== undefined && { defaultLanguage: channel.language }),
    localized: localizedTexts(channel, call),
    ...(channel.country !== undefined && { country: channel.country }),
  }),
  contentDetails: (channel, { viewer }) => ({
    relatedPlaylists: {
      likes: viewer === channel.id ? likesId(channel) : "",
      uploads: uploadsId(channel),
      // The specification names these two (section 2); the service itself no longer fills them.
      ...(viewer === channel.id && {
        watchHistory: channel.hasClosedLists ? "HL" : historyId(channel),
        watchLater: channel.hasClosedLists ? "WL" : watchLaterId(channel),
      }),
    },
  }),
  statistics: (channel, call) => {
    const videos = publicVideos(channel, call);
    return {
      viewCount: String(videos.reduce((sum, { views }) => sum + views, 0)),
      ...(!channel.hidesSubscribers && { subscriberCount: String(channel.subscribers) }),
      hiddenSubscriberCount: channel.hidesSubscribers,
      videoCount: String(videos.length),
    };
  },
  status: (channel, { viewer }) => ({
    privacyStatus: "public",
    isLinked: true,
    longUploadsStatus: "allowed",
    ...(channel.madeForKids !== undefined && { madeForKids: channel.madeForKids }),
    ...(viewer === channel.id &&
      channel.madeForKids !== undefined && { selfDeclaredMadeForKids: channel.madeForKids }),
  }),
  brandingSettings: (channel) => ({
    channel: {
      title: channel.title,
      description: channel.description,
      keywords: channel.keywords.map(quoted).join(" "),
      ...(channel.language !== undefined && { defaultLanguage: channel.language }),
      ...(channel.country !== undefined && { country: channel.country }),
      ...channel.branding,
    },
    ...(channel.bannerUrl !== undefined && { image: { bannerExternalUrl: channel.bannerUrl } }),
  }),
  // Kept whole, as the specification names it without its fields (section 2).
  invideoPromotion: ({ invideoPromotion }) => invideoPromotion ?? {},
  auditDetails: () => ({
    communityGuidelinesGoodStanding: true,
    copyrightStrikesGoodStanding: true,
    contentIdClaimsGoodStanding: true,
  }),
  topicDetails: () => ({ topicIds: [], topicCategories: [] }),
  localizations: (channel) => allLocalizations(channel),
};

function quoted(keyword: string): string {
  return keyword.includes(" ") ? `"${keyword}"` : keyword;
}

function publicVideos(channel: Channel, { world }: Call): Video[] {
  const all = [...world.videos.values()];
  return all.filter(({ channelId, privacy }) => channelId === channel.id && privacy === "public");
}

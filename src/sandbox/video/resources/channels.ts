import { type Parts, paginate, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage, toTimestamp } from "../locale.ts";
import { Refusal } from "../refusal.ts";
import { channelThumbnails } from "../thumbnails/index.ts";
import { type Channel, likesId, uploadsId, type Video } from "../world/index.ts";

const kind = "youtube#channel";

const parts: Parts<Channel> = {
  snippet: (channel, { origin }) => ({
    title: channel.title,
    description: channel.description,
    customUrl: channel.handle,
    publishedAt: toTimestamp(channel.publishedAt),
    thumbnails: channelThumbnails(origin, channel.id),
    defaultLanguage: channel.language,
    localized: { title: channel.title, description: channel.description },
    country: channel.country,
  }),
  contentDetails: (channel, { viewer }) => ({
    relatedPlaylists: {
      likes: viewer === channel.id ? likesId(channel) : "",
      uploads: uploadsId(channel),
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
  status: () => ({ privacyStatus: "public", isLinked: true, longUploadsStatus: "allowed" }),
  brandingSettings: (channel) => ({
    channel: {
      title: channel.title,
      description: channel.description,
      keywords: channel.keywords.join(" "),
      country: channel.country,
    },
  }),
  topicDetails: () => ({ topicIds: [], topicCategories: [] }),
  localizations: (channel) => ({
    [channel.language ?? "en"]: { title: channel.title, description: channel.description },
  }),
};

export const channels = {
  "channels.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const belongsTo = `channels ${found.map(({ id }) => id).join()}`;
    const { things, envelope } = paginate(call, found, { belongsTo });
    const items = things.map((channel) =>
      toResource(call, { kind, id: channel.id, thing: channel, parts }),
    );
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function find({ query, world, viewer }: Call): Channel[] {
  if (query.flag("mine") || query.flag("managedByMe")) {
    if (viewer === undefined) throw tokenNeeded();
    return [world.channels.get(viewer)].filter((channel) => channel !== undefined);
  }
  const all = [...world.channels.values()];
  const handle = query.text("forHandle")?.toLowerCase().replace(/^@?/, "@");
  const username = query.text("forUsername")?.toLowerCase();
  const ids = query.list("id");
  return all.filter(
    (channel) =>
      ids.includes(channel.id) ||
      channel.handle === handle ||
      (username !== undefined && channel.username === username),
  );
}

function checkOwnerParts(found: readonly Channel[], { query, viewer }: Call): void {
  const asks = query
    .list("part")
    .some((part) => part === "auditDetails" || part === "contentOwnerDetails");
  if (!asks || found.every(({ id }) => id === viewer)) return;
  throw new Refusal(403, {
    reason: "channelForbidden",
    message: "The channel specified in the id parameter does not support the request.",
    domain: "youtube.channel",
    place: { location: "part", locationType: "parameter" },
  });
}

function publicVideos(channel: Channel, { world }: Call): Video[] {
  const all = [...world.videos.values()];
  return all.filter(({ channelId, privacy }) => channelId === channel.id && privacy === "public");
}

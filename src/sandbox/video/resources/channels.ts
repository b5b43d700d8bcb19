import { checkUnchanged, ownChannel } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  historyId,
  likesId,
  regionCodes,
  type StoredChannel,
  type StoredVideo,
  uploadsId,
  userChannel,
  watchLaterId,
} from "../data/index.ts";
import { flagAt, type JsonBody, objectAt, textAt } from "../json-body.ts";
import {
  allLocalizations,
  languageAt,
  localizedTexts,
  readLanguage,
  readLocalizations,
  toTimestamp,
} from "../locale.ts";
import { paginate } from "../paginate.ts";
import { type ApiRefusal, badBody, forbidden, notFound, refusal } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { channelThumbnails } from "../thumbnails/index.ts";
import { isOwnBanner } from "./thumbnails.ts";

export const channelHandlers = {
  "channels.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const { things, envelope } = paginate(call, found, {
      belongsTo: `channels ${call.query.chosenBy}`,
      idOf: ({ id }) => id,
    });
    const items = things.map((channel) => toChannel(call, channel));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function find({ query, state, viewer }: ApiCall): StoredChannel[] {
  const isMine = query.flag("mine") || query.flag("managedByMe");
  if (isMine && viewer === undefined) throw refusal("tokenNeeded");
  const handle = query.text("forHandle")?.toLowerCase().replace(/^@?/, "@");
  const username = query.text("forUsername")?.toLowerCase();
  const ids = isMine ? [viewer] : query.list("id");
  const isMeant = (one: Pick<StoredChannel, "id" | "handle">): boolean =>
    ids.includes(one.id) || one.handle === handle;
  const people = [...state.users.values()].filter((person) => !person.isGone && isMeant(person));
  const channels = [...state.channels.values()].filter(
    (channel) => isMeant(channel) || (username !== undefined && channel.username === username),
  );
  return [...channels, ...people.map(userChannel)];
}

function checkOwnerParts(found: readonly StoredChannel[], { query, viewer }: ApiCall): void {
  const asks = query.list("part").some((part) => ownerParts.includes(part));
  if (!asks || found.every(({ id }) => id === viewer)) return;
  throw refusal("channelPartForbidden");
}

/** docs/services/youtube.md#channels */
const limits = { descriptionChars: 1_000, keywordsChars: 500 } as const;

/** Fields of `brandingSettings.channel` that only this resource shows. */
const keptFields = [
  "defaultTab",
  "featuredChannelsTitle",
  "featuredChannelsUrls",
  "moderateComments",
  "profileColor",
  "showBrowseView",
  "showRelatedChannels",
  "trackingAnalyticsAccountId",
  "unsubscribedTrailer",
];

export const channelUpdateHandlers = {
  "channels.update": (call) => {
    const channel = ownChannel(call);
    const id = textAt(call.body, "id") ?? "";
    if (!call.state.channels.has(id)) throw notFound("channel", "channelNotFound", "id");
    if (id !== channel.id) throw forbidden("channel", "channelForbidden");
    checkUnchanged(call, toChannel(call, channel));
    Object.assign(channel, readChanges(call, channel));
    return toChannel(call, channel);
  },
} as const satisfies Record<string, Handler>;

/** Every field of the parts that are named: what is left out is cleared, because writes replace. */
function readChanges(call: ApiCall, channel: StoredChannel): Partial<StoredChannel> {
  const parts = call.query.list("part");
  const changes: Partial<StoredChannel> = {};
  for (const part of parts) Object.assign(changes, readers[part]?.(call, channel));
  if (!parts.includes("localizations")) return changes;
  const language = parts.includes("brandingSettings") ? changes.language : channel.language;
  const localizations = readLocalizations(call.body, language, {
    resource: "channel",
    noLanguage: "defaultLanguageNotSetError",
    invalid: "localizationValidationError",
  });
  return { ...changes, localizations };
}

type ChannelPartReader = (call: ApiCall, channel: StoredChannel) => Partial<StoredChannel>;

const readers: Readonly<Record<string, ChannelPartReader>> = {
  brandingSettings: (call, channel) => {
    const { body } = call;
    const title = textAt(body, "brandingSettings.channel.title");
    if (title !== undefined && title !== channel.title) {
      throw badBody("channel", "channelTitleUpdateForbidden", "brandingSettings.channel.title");
    }
    return {
      description: readText(body, "description", limits.descriptionChars),
      keywords: readKeywords(body),
      country: readCountry(body),
      language: languageAt(body, "brandingSettings.channel.defaultLanguage", {
        resource: "channel",
        invalid: "brandingValidationError",
      }),
      branding: readKept(call),
      bannerUrl: readBanner(call),
    };
  },
  invideoPromotion: ({ body }) => ({ invideoPromotion: objectAt(body, "invideoPromotion") }),
  status: ({ body }) => ({ madeForKids: flagAt(body, "status.selfDeclaredMadeForKids") }),
};

function readText(body: JsonBody, name: string, maxChars: number): string {
  const text = textAt(body, `brandingSettings.channel.${name}`) ?? "";
  if ([...text].length <= maxChars) return text;
  throw invalid(name);
}

/** Words are separated by spaces; several in quotes are one. */
function readKeywords(body: JsonBody): readonly string[] {
  const text = readText(body, "keywords", limits.keywordsChars);
  const words = text.matchAll(/"([^"]+)"|(\S+)/g);
  return [...words].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function readCountry(body: JsonBody): string | undefined {
  const country = textAt(body, "brandingSettings.channel.country") || undefined;
  if (country === undefined || regionCodes.includes(country)) return country;
  throw invalid("country");
}

function readKept({ body, state }: ApiCall): StoredChannel["branding"] {
  const settings = objectAt(body, "brandingSettings.channel") ?? {};
  const trailer = settings.unsubscribedTrailer;
  if (trailer && !state.videos.has(String(trailer))) throw invalid("unsubscribedTrailer");
  return Object.fromEntries(Object.entries(settings).filter(([name]) => keptFields.includes(name)));
}

/** Only what `channelBanners.insert` gave this channel can be its banner. */
function readBanner(call: ApiCall): string | undefined {
  const url = textAt(call.body, "brandingSettings.image.bannerExternalUrl") || undefined;
  if (url === undefined || isOwnBanner(call, url)) return url;
  throw badBody("channel", "brandingValidationError", "brandingSettings.image.bannerExternalUrl");
}

function invalid(name: string): ApiRefusal {
  return badBody("channel", "brandingValidationError", `brandingSettings.channel.${name}`);
}

const kind = "youtube#channel";

/** Parts that a channel shows to its owner alone. */
const ownerParts: readonly string[] = ["auditDetails", "contentOwnerDetails", "invideoPromotion"];

function toChannel(call: ApiCall, channel: StoredChannel): object {
  return toResource(call, { kind, id: channel.id, thing: channel, parts });
}

const parts: ApiParts<StoredChannel> = {
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
      // YouTube itself no longer fills these: docs/services/youtube.md#special-playlists
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
  // Kept whole, because its fields are not documented any more.
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

function publicVideos(channel: StoredChannel, { state }: ApiCall): StoredVideo[] {
  const all = [...state.videos.values()];
  return all.filter(({ channelId, privacy }) => channelId === channel.id && privacy === "public");
}

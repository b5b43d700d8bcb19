import { checkUnchanged, requireOwnChannel, requireViewer } from "../access.ts";
import { type ApiError, badBody, fixedError, forbidden, notFound } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { likesId, regionCodes, type StoredChannel, uploadsId, userChannel } from "../data/index.ts";
import { flagAt, type JsonBody, objectAt, textAt } from "../json-body.ts";
import {
  allLocalizations,
  languageAt,
  localizedTexts,
  readLanguage,
  readLocalizations,
  toTimestamp,
} from "../locale.ts";
import { defineResource } from "../resource.ts";
import { channelThumbnails } from "../thumbnails/addresses.ts";

/** Parts that a channel shows to its owner alone. */
const ownerParts: readonly string[] = ["auditDetails", "contentOwnerDetails", "invideoPromotion"];

const channelResource = defineResource<StoredChannel>("channel", (channel, call) => {
  const { id, title, description, language, country } = channel;
  const isOwn = call.viewer === id;
  const videos = [...call.state.videos.values()].filter(
    ({ channelId, privacy }) => channelId === id && privacy === "public",
  );
  const subscribers = channel.hidesSubscribers ? undefined : String(channel.subscribers);
  return {
    snippet: {
      title,
      description,
      customUrl: channel.handle,
      publishedAt: toTimestamp(channel.publishedAt),
      thumbnails: channelThumbnails(call.origin, id),
      defaultLanguage: language,
      localized: localizedTexts(channel, call),
      country,
    },
    contentDetails: {
      relatedPlaylists: {
        likes: isOwn ? likesId(channel) : "",
        uploads: uploadsId(channel),
        // YouTube itself no longer fills these: docs/services/youtube.md#special-playlists
        ...(isOwn && {
          watchHistory: channel.hasClosedLists ? "HL" : `HL${id.slice(2)}`,
          watchLater: channel.hasClosedLists ? "WL" : `WL${id.slice(2)}`,
        }),
      },
    },
    statistics: {
      viewCount: String(videos.reduce((sum, { views }) => sum + views, 0)),
      subscriberCount: subscribers,
      hiddenSubscriberCount: channel.hidesSubscribers,
      videoCount: String(videos.length),
    },
    status: {
      privacyStatus: "public",
      isLinked: true,
      longUploadsStatus: "allowed",
      madeForKids: channel.madeForKids,
      selfDeclaredMadeForKids: isOwn ? channel.madeForKids : undefined,
    },
    brandingSettings: {
      channel: {
        title,
        description,
        keywords: channel.keywords
          .map((keyword) => (keyword.includes(" ") ? `"${keyword}"` : keyword))
          .join(" "),
        defaultLanguage: language,
        country,
        ...channel.branding,
      },
      image: channel.bannerUrl && { bannerExternalUrl: channel.bannerUrl },
    },
    // Kept whole, because its fields are not documented any more.
    invideoPromotion: channel.invideoPromotion ?? {},
    auditDetails: {
      communityGuidelinesGoodStanding: true,
      copyrightStrikesGoodStanding: true,
      contentIdClaimsGoodStanding: true,
    },
    topicDetails: { topicIds: [], topicCategories: [] },
    localizations: allLocalizations(channel),
  };
});

export const channelHandlers = {
  "channels.list": (call) => {
    const { query, viewer, state } = call;
    readLanguage(call);
    const isMine = query.flag("mine") || query.flag("managedByMe");
    const ids = isMine ? [requireViewer(call)] : query.list("id");
    const handle = query.text("forHandle")?.toLowerCase().replace(/^@?/, "@");
    const username = query.text("forUsername")?.toLowerCase();
    const people = [...state.users.values()].filter(({ isGone }) => !isGone).map(userChannel);
    const found = [...state.channels.values(), ...people].filter(
      (one) =>
        ids.includes(one.id) ||
        one.handle === handle ||
        (username !== undefined && one.username === username),
    );
    const asksOwner = query.list("part").some((part) => ownerParts.includes(part));
    if (asksOwner && found.some(({ id }) => id !== viewer)) {
      throw fixedError("channelPartForbidden");
    }
    return channelResource.page(call, found);
  },
  "channels.update": (call) => {
    const channel = requireOwnChannel(call);
    if (!call.state.channels.has(call.id)) throw notFound("channel", "channelNotFound", "id");
    if (call.id !== channel.id) throw forbidden("channel", "channelForbidden");
    checkUnchanged(call, channelResource.show(call, channel));
    Object.assign(channel, readChanges(call, channel));
    return channelResource.show(call, channel);
  },
} as const satisfies Record<string, Handler>;

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

const settings = "brandingSettings.channel";

/** What a write changes: every field of the parts that it names. What the body leaves out is cleared, because writes replace. */
function readChanges(call: ApiCall, before: StoredChannel): Partial<StoredChannel> {
  const { body, query } = call;
  const parts = query.list("part");
  const changes: Partial<StoredChannel> = {
    ...(parts.includes("brandingSettings") && readBranding(call, before)),
    ...(parts.includes("invideoPromotion") && {
      invideoPromotion: objectAt(body, "invideoPromotion"),
    }),
    ...(parts.includes("status") && {
      madeForKids: flagAt(body, "status.selfDeclaredMadeForKids"),
    }),
  };
  if (!parts.includes("localizations")) return changes;
  const { language } = parts.includes("brandingSettings") ? changes : before;
  const localizations = readLocalizations(body, language, {
    resource: "channel",
    noLanguage: "defaultLanguageNotSetError",
    invalid: "localizationValidationError",
  });
  return { ...changes, localizations };
}

function readBranding(call: ApiCall, before: StoredChannel): Partial<StoredChannel> {
  const { body, state } = call;
  const title = textAt(body, `${settings}.title`);
  if (title !== undefined && title !== before.title) {
    throw badBody("channel", "channelTitleUpdateForbidden", `${settings}.title`);
  }
  const description = readText(body, "description", limits.descriptionChars);
  // Words are separated by spaces; several in quotes are one.
  const words = readText(body, "keywords", limits.keywordsChars).matchAll(/"([^"]+)"|(\S+)/g);
  const country = textAt(body, `${settings}.country`) || undefined;
  if (country !== undefined && !regionCodes.includes(country)) {
    throw badBranding("channel.country");
  }
  const invalid = "brandingValidationError";
  const language = languageAt(body, `${settings}.defaultLanguage`, {
    resource: "channel",
    invalid,
  });
  const fields = objectAt(body, settings) ?? {};
  const trailer = fields.unsubscribedTrailer;
  if (trailer && !state.videos.has(String(trailer)))
    throw badBranding("channel.unsubscribedTrailer");
  // Only what `channelBanners.insert` gave this channel can be its banner.
  const bannerUrl = textAt(body, "brandingSettings.image.bannerExternalUrl") || undefined;
  const bannerId = URL.parse(bannerUrl ?? "")?.pathname.replace("/banners/", "") ?? "";
  if (bannerUrl !== undefined && state.banners.get(bannerId)?.channelId !== before.id) {
    throw badBranding("image.bannerExternalUrl");
  }
  return {
    description,
    keywords: [...words].map(([, quoted, plain]) => quoted ?? plain ?? ""),
    country,
    language,
    branding: Object.fromEntries(
      Object.entries(fields).filter(([name]) => keptFields.includes(name)),
    ),
    bannerUrl,
  };
}

function readText(body: JsonBody, name: string, maxChars: number): string {
  const text = textAt(body, `${settings}.${name}`) ?? "";
  if ([...text].length <= maxChars) return text;
  throw badBranding(`channel.${name}`);
}

function badBranding(field: string): ApiError {
  return badBody("channel", "brandingValidationError", `brandingSettings.${field}`);
}

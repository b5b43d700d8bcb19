import { checkUnchanged, ownChannel } from "../access.ts";
import { toList } from "../answer.ts";
import { type Body, flagAt, objectAt, textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { languageAt, readLanguage, readLocalizations } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { badBody, forbidden, notFound, Refusal } from "../refusal.ts";
import { type Channel, personChannel, regionCodes } from "../world/index.ts";
import { isOwnBanner } from "./channel-banners.ts";
import { kind, ownerParts, toChannel } from "./channel-parts.ts";

export const channels = {
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

function find({ query, world, viewer }: Call): Channel[] {
  const isMine = query.flag("mine") || query.flag("managedByMe");
  if (isMine && viewer === undefined) throw tokenNeeded();
  const handle = query.text("forHandle")?.toLowerCase().replace(/^@?/, "@");
  const username = query.text("forUsername")?.toLowerCase();
  const ids = isMine ? [viewer] : query.list("id");
  const isMeant = (one: Pick<Channel, "id" | "handle">): boolean =>
    ids.includes(one.id) || one.handle === handle;
  const people = [...world.people.values()].filter((person) => !person.isGone && isMeant(person));
  const channels = [...world.channels.values()].filter(
    (channel) => isMeant(channel) || (username !== undefined && channel.username === username),
  );
  return [...channels, ...people.map(personChannel)];
}

function checkOwnerParts(found: readonly Channel[], { query, viewer }: Call): void {
  const asks = query.list("part").some((part) => ownerParts.includes(part));
  if (!asks || found.every(({ id }) => id === viewer)) return;
  throw new Refusal(403, {
    reason: "channelForbidden",
    message: "The channel specified in the id parameter does not support the request.",
    domain: "youtube.channel",
    place: { location: "part", locationType: "parameter" },
  });
}

/** facts/video-api.json, limits.text */
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

export const channelUpdates = {
  "channels.update": (call) => {
    const channel = ownChannel(call);
    const id = textAt(call.body, "id") ?? "";
    if (!call.world.channels.has(id)) throw notFound("channel", "channelNotFound", "id");
    if (id !== channel.id) throw forbidden("channel", "channelForbidden");
    checkUnchanged(call, toChannel(call, channel));
    Object.assign(channel, readChanges(call, channel));
    return toChannel(call, channel);
  },
} as const satisfies Record<string, Handler>;

/** Every field of the parts that are named: what is left out is cleared, because writes replace. */
function readChanges(call: Call, channel: Channel): Partial<Channel> {
  const parts = call.query.list("part");
  const changes: Partial<Channel> = {};
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

type Reader = (call: Call, channel: Channel) => Partial<Channel>;

const readers: Readonly<Record<string, Reader>> = {
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

function readText(body: Body, name: string, maxChars: number): string {
  const text = textAt(body, `brandingSettings.channel.${name}`) ?? "";
  if ([...text].length <= maxChars) return text;
  throw invalid(name);
}

/** Words are separated by spaces; several in quotes are one. */
function readKeywords(body: Body): readonly string[] {
  const text = readText(body, "keywords", limits.keywordsChars);
  const words = text.matchAll(/"([^"]+)"|(\S+)/g);
  return [...words].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function readCountry(body: Body): string | undefined {
  const country = textAt(body, "brandingSettings.channel.country") || undefined;
  if (country === undefined || regionCodes.includes(country)) return country;
  throw invalid("country");
}

function readKept({ body, world }: Call): Channel["branding"] {
  const given = objectAt(body, "brandingSettings.channel") ?? {};
  const trailer = given.unsubscribedTrailer;
  if (trailer && !world.videos.has(String(trailer))) throw invalid("unsubscribedTrailer");
  return Object.fromEntries(Object.entries(given).filter(([name]) => keptFields.includes(name)));
}

/** Only what `channelBanners.insert` gave this channel can be its banner. */
function readBanner(call: Call): string | undefined {
  const url = textAt(call.body, "brandingSettings.image.bannerExternalUrl") || undefined;
  if (url === undefined || isOwnBanner(call, url)) return url;
  throw badBody("channel", "brandingValidationError", "brandingSettings.image.bannerExternalUrl");
}

function invalid(name: string): Refusal {
  return badBody("channel", "brandingValidationError", `brandingSettings.channel.${name}`);
}

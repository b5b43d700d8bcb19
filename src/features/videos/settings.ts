import type { Text, Words } from "../../discord/index.ts";
import type { Video } from "../../video/index.ts";
import { formatMoment, formatPublished, type Setting, valueName, yesNo } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";

/** The parts with everything that can be set for a video except its thumbnail. */
export const videoSettingsParts = [
  "snippet",
  "status",
  "recordingDetails",
  "localizations",
  "paidProductPlacementDetails",
] as const;

/** The country of charts and categories if neither the person nor the server has chosen one. */
export const defaultRegion = "US";

/** The names of categories in the person's language, by id. */
export type CategoryNames = ReadonlyMap<string, string>;

/** Costs one unit, and is cached for a day: suggestions read the same list. */
export async function readCategoryNames(ctx: Ctx): Promise<CategoryNames> {
  const regionCode = ctx.settings.region ?? defaultRegion;
  const wanted = { part: ["snippet"], regionCode, hl: ctx.hl } as const;
  const { items } = await ctx.video.call("videoCategories.list", wanted, { signal: ctx.signal });
  return new Map(
    items.flatMap(({ id, snippet }) =>
      id === undefined || snippet?.title === undefined ? [] : [[id, snippet.title] as const],
    ),
  );
}

/** All settings except translations, in words: for the page of details, and for the changes of an edit. */
export function describeVideoSettings(
  words: Words,
  categories: CategoryNames,
): readonly Setting<Video>[] {
  const flag = (fact: (video: Video) => boolean | undefined) => (video: Video) =>
    yesNo(words, fact(video));
  const language = (code: string | undefined) => code && words.language(code);
  return [
    ["video-details.title", ({ snippet }) => snippet?.title],
    ["video-details.description", ({ snippet }) => snippet?.description],
    ["cards.tags", ({ snippet }) => snippet?.tags?.join(", ")],
    [
      "video-details.category",
      ({ snippet }) => categories.get(snippet?.categoryId ?? "") ?? snippet?.categoryId,
    ],
    ["video-details.language", ({ snippet }) => language(snippet?.defaultLanguage)],
    ["video-details.audio_language", ({ snippet }) => language(snippet?.defaultAudioLanguage)],
    ["cards.privacy", ({ status }) => valueName(words, "privacyStatus", status?.privacyStatus)],
    ["cards.scheduled", ({ status }) => formatMoment(status?.publishAt)],
    ["video-details.license", ({ status }) => valueName(words, "license", status?.license)],
    ["video-details.embeddable", flag(({ status }) => status?.embeddable)],
    ["video-details.public_numbers", flag(({ status }) => status?.publicStatsViewable)],
    ["video-details.declared_for_kids", flag(({ status }) => status?.selfDeclaredMadeForKids)],
    ["video-details.for_kids", flag(({ status }) => status?.madeForKids)],
    ["video-details.synthetic", flag(({ status }) => status?.containsSyntheticMedia)],
    [
      "video-details.paid_promotion",
      flag(({ paidProductPlacementDetails: paid }) => paid?.hasPaidProductPlacement),
    ],
    [
      "video-details.recorded",
      ({ recordingDetails }) => formatPublished(recordingDetails?.recordingDate),
    ],
    ["video-details.location", (video) => locationText(video, words)],
  ];
}

/** `Chamonix (45.92 · 6.87 · 1,035 m)`, or the part of it that is known. */
function locationText({ recordingDetails }: Video, words: Words): Text | undefined {
  const { locationDescription: place, location } = recordingDetails ?? {};
  const { latitude, longitude, altitude } = location ?? {};
  const metres = new Intl.NumberFormat(words.tag, { style: "unit", unit: "meter" });
  const degrees = new Intl.NumberFormat(words.tag, { maximumFractionDigits: 6 });
  const point = [
    ...[latitude, longitude].flatMap((angle) => angle ?? []).map((angle) => degrees.format(angle)),
    ...(altitude === undefined ? [] : [metres.format(altitude)]),
  ].join(" · ");
  if (place === undefined || point === "") return place ?? (point || undefined);
  return `${place} (${point})`;
}

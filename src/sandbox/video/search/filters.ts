import { ApiError, badParameter } from "../api-error.ts";
import type { ApiCall } from "../call.ts";
import type { StoredVideo } from "../data/index.ts";
import { readRegionCode } from "../locale.ts";

/** What a video is like, in the words of the filters that go with `type=video` only. */
function describeForFilters(video: StoredVideo) {
  const { seconds } = video;
  const length = seconds < 240 ? "short" : seconds <= 1200 ? "medium" : "long";
  return {
    videoCaption: video.hasCaptions ? "closedCaption" : "none",
    videoCategoryId: video.categoryId,
    videoDefinition: video.isHd ? "high" : "standard",
    videoDimension: "2d",
    // A broadcast that has not ended has no length.
    videoDuration: seconds > 0 ? length : undefined,
    videoEmbeddable: "true",
    videoLicense: video.license,
    videoPaidProductPlacement: String(video.isPromotion),
    videoSyndicated: "true",
    // No sample video is a film or an episode.
    videoType: undefined,
    eventType: video.live,
  };
}

const videoOnly = [
  "videoCaption",
  "videoCategoryId",
  "videoDefinition",
  "videoDimension",
  "videoDuration",
  "videoEmbeddable",
  "videoLicense",
  "videoPaidProductPlacement",
  "videoSyndicated",
  "videoType",
  "eventType",
  "location",
  "locationRadius",
  "forMine",
  "forDeveloper",
  "forContentOwner",
];

/** Refuses combinations that YouTube refuses. */
export function checkFilters({ query }: ApiCall): void {
  const types = query.list("type");
  const parameter = videoOnly.find((name) => query.has(name));
  if (parameter !== undefined && (types.length !== 1 || types[0] !== "video")) {
    throw new ApiError(400, {
      reason: "invalidSearchFilter",
      message: "The request contains an invalid combination of search filters and/or restrictions.",
      domain: "youtube.search",
      place: { parameter },
    });
  }
  const language = query.text("relevanceLanguage");
  if (language !== undefined && !/^[a-z]{2}(-[a-z]{2,4})?$/i.test(language)) {
    const message = `Invalid value '${language}'.`;
    throw badParameter("relevanceLanguage", message, "invalidRelevanceLanguage");
  }
}

const hidden = {
  none: [],
  moderate: ["mature"],
  strict: ["mature", "teen"],
} as const satisfies Record<string, readonly StoredVideo["audience"][]>;

/** Whether a video passes every filter of the call but the words. */
export function passesFilters(call: ApiCall): (video: StoredVideo) => boolean {
  const { query } = call;
  const region = readRegionCode(call) ?? "US";
  const unsafe: readonly string[] =
    hidden[(query.text("safeSearch") ?? "moderate") as keyof typeof hidden];
  const isNear = readCircle(call);
  return (video) =>
    !unsafe.includes(video.audience) &&
    !video.blockedIn.includes(region) &&
    isNear(video) &&
    Object.entries(describeForFilters(video)).every(([name, value]) => {
      return !query.has(name) || ["any", value].includes(query.text(name));
    });
}

/** In metres. */
const earthRadius = 6_371_000;
const metres: Readonly<Record<string, number>> = { m: 1, km: 1000, ft: 0.3048, mi: 1609.344 };

function readCircle({ query }: ApiCall): (video: StoredVideo) => boolean {
  const [centre, radius] = [query.text("location"), query.text("locationRadius")];
  if (centre === undefined && radius === undefined) return () => true;
  const point = /^(-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?)$/.exec(centre ?? "");
  const reach = /^(\d+(?:\.\d+)?)(m|km|ft|mi)$/.exec(radius ?? "");
  const limit = Number(reach?.[1]) * (metres[reach?.[2] ?? ""] ?? Number.NaN);
  if (point === null || !(limit <= 1_000_000)) {
    throw badParameter("location", "Invalid location or locationRadius.", "invalidLocation");
  }
  const [latitude, longitude] = [Number(point[1]), Number(point[2])];
  const rad = Math.PI / 180;
  return ({ location }) => {
    if (location === undefined) return false;
    // The great-circle distance.
    const [lat, lng] = [location.latitude - latitude, location.longitude - longitude];
    const across = Math.cos(location.latitude * rad) * Math.cos(latitude * rad);
    const h = Math.sin((lat * rad) / 2) ** 2 + across * Math.sin((lng * rad) / 2) ** 2;
    return 2 * earthRadius * Math.asin(Math.sqrt(h)) <= limit;
  };
}

import type { ApiCall } from "../call.ts";
import type { StoredVideo } from "../data/index.ts";
import { ApiRefusal, badParameter } from "../refusal.ts";

/** Parameters that go with `type=video` only. */
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

/** Refuses combinations that the service refuses. */
export function checkFilters({ query }: ApiCall): void {
  const types = query.list("type");
  const used = videoOnly.filter((name) => query.has(name));
  if (used.length > 0 && (types.length !== 1 || types[0] !== "video")) {
    throw new ApiRefusal(400, {
      reason: "invalidSearchFilter",
      message: "The request contains an invalid combination of search filters and/or restrictions.",
      domain: "youtube.search",
      place: { location: used[0] ?? "", locationType: "parameter" },
    });
  }
  const language = query.text("relevanceLanguage");
  if (language !== undefined && !/^[a-z]{2}(-[a-z]{2,4})?$/i.test(language)) {
    throw badParameter(
      "relevanceLanguage",
      `Invalid value '${language}'.`,
      "invalidRelevanceLanguage",
    );
  }
}

type Test = (video: StoredVideo, wanted: string) => boolean;

const tests: Readonly<Record<string, Test>> = {
  videoCaption: (video, wanted) => video.hasCaptions === (wanted === "closedCaption"),
  videoCategoryId: (video, wanted) => video.categoryId === wanted,
  videoDefinition: (video, wanted) => video.isHd === (wanted === "high"),
  videoDimension: (_, wanted) => wanted === "2d",
  videoDuration: (video, wanted) => readLength(video) === wanted,
  videoEmbeddable: () => true,
  videoLicense: (video, wanted) => video.license === wanted,
  videoPaidProductPlacement: (video) => video.isPromotion,
  videoSyndicated: () => true,
  videoType: () => false,
  eventType: (video, wanted) => video.live === wanted,
};

const hidden = {
  none: [],
  moderate: ["mature"],
  strict: ["mature", "teen"],
} as const satisfies Record<string, readonly StoredVideo["audience"][]>;

/** Whether a video passes every filter of the call but the words. */
export function passesFilters(call: ApiCall, region: string): (video: StoredVideo) => boolean {
  const { query } = call;
  const active = Object.entries(tests).filter(
    ([name]) => query.has(name) && query.text(name) !== "any",
  );
  const unsafe: readonly string[] =
    hidden[(query.text("safeSearch") ?? "moderate") as keyof typeof hidden];
  const isNear = readCircle(call);
  return (video) =>
    !unsafe.includes(video.audience) &&
    !video.blockedIn.includes(region) &&
    isNear(video) &&
    active.every(([name, test]) => test(video, query.text(name) ?? ""));
}

/** Short is under 4 minutes, long over 20; a broadcast that has not ended has no length. */
function readLength({ seconds }: StoredVideo): string | undefined {
  if (seconds === 0) return undefined;
  if (seconds < 240) return "short";
  return seconds <= 1200 ? "medium" : "long";
}

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
  return ({ location }) =>
    location !== undefined && distance(location, { latitude, longitude }) <= limit;
}

type Point = { readonly latitude: number; readonly longitude: number };

/** Great-circle distance in metres. */
function distance(one: Point, other: Point): number {
  const rad = Math.PI / 180;
  const half = (a: number, b: number): number => Math.sin(((a - b) * rad) / 2) ** 2;
  const across = Math.cos(one.latitude * rad) * Math.cos(other.latitude * rad);
  const h = half(one.latitude, other.latitude) + across * half(one.longitude, other.longitude);
  return 2 * 6_371_000 * Math.asin(Math.sqrt(h));
}

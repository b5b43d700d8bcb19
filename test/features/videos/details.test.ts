import type { youtube_v3 } from "@googleapis/youtube";
import { describe, expect, it } from "vitest";
import { drawEmbed, embedLength } from "../../../src/discord/draw/embed.ts";
import { formatted } from "../../../src/discord/draw/text.ts";
import {
  type DetailsPageName,
  detailsPageNames,
  detailsPages,
  findDetailsPage,
} from "../../../src/features/videos/details/pages.ts";
import { locales } from "../../../src/language/index.ts";
import { methods, type Video } from "../../../src/video/index.ts";
import { words } from "../../support/words.ts";

type Whole<T> = T extends readonly (infer One)[]
  ? readonly Whole<One>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Whole<NonNullable<T[Name]>> }
    : T;

type Foreign = Whole<youtube_v3.Schema$Video>;

/** A video by Google's own types, without the parts that can't be requested. */
type Parts = Omit<
  Foreign,
  "ageGating" | "monetizationDetails" | "projectDetails" | "etag" | "kind" | "contentDetails"
> & {
  readonly contentDetails: Omit<Foreign["contentDetails"], "contentRating"> & {
    readonly contentRating: Partial<Foreign["contentDetails"]["contentRating"]>;
  };
};

const picture = (size: string, width: number) => ({
  url: `https://i.example/${size}.jpg`,
  width,
  height: (width / 16) * 9,
});

/** Every field of every part. `satisfies` fails where Google's types have a field that is missing here. */
const video = {
  id: "abcdefghijk",
  snippet: {
    publishedAt: "2026-01-02T03:04:05Z",
    channelId: "UCaaaaaaaaaaaaaaaaaaaaaa",
    title: "Own title",
    description: "Own description",
    channelTitle: "Channel name",
    tags: ["tag one", "tag two"],
    categoryId: "26",
    liveBroadcastContent: "completed",
    defaultLanguage: "pl",
    defaultAudioLanguage: "fi",
    localized: { title: "Local title", description: "Local description" },
    thumbnails: {
      default: picture("default", 160),
      medium: picture("medium", 320),
      high: picture("high", 480),
      standard: picture("standard", 640),
      maxres: picture("maxres", 1280),
      fhd: picture("fhd", 1920),
      qhd: picture("qhd", 2560),
      uhd: picture("uhd", 3840),
    },
  },
  contentDetails: {
    duration: "PT1H2M3S",
    dimension: "3d",
    definition: "hd",
    caption: "true",
    licensedContent: true,
    regionRestriction: { allowed: ["NZ"], blocked: ["JP"] },
    countryRestriction: { allowed: true, exception: ["BR"] },
    contentRating: {
      ytRating: "ytAgeRestricted",
      fskRating: "fsk12",
      djctqRatingReasons: ["djctqFear"],
    },
    projection: "360",
    hasCustomThumbnail: false,
  },
  status: {
    uploadStatus: "rejected",
    failureReason: "codec",
    rejectionReason: "length",
    privacyStatus: "unlisted",
    publishAt: "2026-03-04T05:06:07Z",
    license: "creativeCommon",
    embeddable: true,
    publicStatsViewable: false,
    madeForKids: true,
    selfDeclaredMadeForKids: false,
    containsSyntheticMedia: true,
  },
  statistics: {
    viewCount: "1234567",
    likeCount: "23456",
    dislikeCount: "345",
    favoriteCount: "45",
    commentCount: "5678",
  },
  player: { embedHtml: '<iframe src="//x"></iframe>', embedWidth: "640", embedHeight: "361" },
  topicDetails: {
    topicCategories: ["https://en.wikipedia.org/wiki/Video_game_culture"],
    topicIds: ["/m/04rlf"],
    relevantTopicIds: ["/m/0bzvm2"],
  },
  recordingDetails: {
    recordingDate: "2026-05-06T00:00:00Z",
    locationDescription: "Chamonix",
    location: { latitude: 45.92375, longitude: 6.86933, altitude: 1035 },
  },
  liveStreamingDetails: {
    actualStartTime: "2026-06-07T08:09:10Z",
    actualEndTime: "2026-06-07T09:09:10Z",
    scheduledStartTime: "2026-06-07T08:00:00Z",
    scheduledEndTime: "2026-06-07T09:00:00Z",
    concurrentViewers: "9876",
    activeLiveChatId: "Cg0KC2chat",
  },
  localizations: { uk: { title: "Ukrainian title", description: "Ukrainian description" } },
  paidProductPlacementDetails: { hasPaidProductPlacement: true },
  brandPartner: { channelId: "UCbbbbbbbbbbbbbbbbbbbbbb", channelHandle: "@partner" },
  fileDetails: {
    fileName: "take-7.mov",
    fileSize: "123456789",
    fileType: "video",
    container: "mov",
    durationMs: "61500",
    bitrateBps: "8123456",
    creationTime: "2026-07-08T09:10:11Z",
    videoStreams: [
      {
        widthPixels: 1918,
        heightPixels: 1078,
        frameRateFps: 29.97,
        aspectRatio: 1.779,
        codec: "h264",
        bitrateBps: "7900000",
        rotation: "clockwise",
        vendor: "appl",
      },
    ],
    audioStreams: [{ channelCount: 6, codec: "aac", bitrateBps: "223456", vendor: "lavf" }],
  },
  processingDetails: {
    processingStatus: "failed",
    processingProgress: { partsTotal: "40", partsProcessed: "17", timeLeftMs: "90000" },
    processingFailureReason: "transcodeFailed",
    fileDetailsAvailability: "available",
    processingIssuesAvailability: "inProgress",
    tagSuggestionsAvailability: "unavailable",
    editorSuggestionsAvailability: "available",
    thumbnailsAvailability: "available",
  },
  suggestions: {
    processingErrors: ["imageFile"],
    processingWarnings: ["hasEditlist"],
    processingHints: ["hdrVideo"],
    tagSuggestions: [{ tag: "softbox", categoryRestricts: ["26"] }],
    editorSuggestions: ["videoStabilize"],
  },
} as const satisfies Parts;

const categories = new Map([["26", "Howto & Style"]]);

function textOf(name: DetailsPageName, tag = "en-US", shown: Video = video as unknown as Video) {
  const said = findDetailsPage(name).draw(shown, { words: words(tag), categories });
  const fields = said.fields.map(({ name, value }) => `${name}: ${formatted(value)}`);
  const buttons = (said.buttons ?? []).map(({ label, url }) => `${label} ${url}`);
  return [said.text === undefined ? "" : formatted(said.text), ...fields, ...buttons].join("\n");
}

const at = (iso: string) => `<t:${Date.parse(iso) / 1000}:`;

describe("the details of a video", () => {
  it.each<[DetailsPageName, readonly string[]]>([
    [
      "texts",
      [
        "Own description",
        "Title in your language: Local title",
        "Description in your language: Local description",
        "[Channel name](https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa)",
        at("2026-01-02T03:04:05Z"),
        "Category: Howto & Style",
        "Language of the texts: Polish",
        "Spoken language: Finnish",
        "Live stream: Ended",
        "Tags: tag one, tag two",
      ],
    ],
    [
      "settings",
      [
        "Title: Own title",
        "Tags: tag one, tag two",
        "Category: Howto & Style",
        "Language of the texts: Polish",
        "Spoken language: Finnish",
        "Privacy: Unlisted",
        at("2026-03-04T05:06:07Z"),
        "License: Creative Commons",
        "Can be embedded: Yes",
        "Public statistics: No",
        "Made for kids (as declared): No",
        "Made for kids: Yes",
        "Altered or synthetic scenes: Yes",
        "Paid promotion: Yes",
        at("2026-05-06T00:00:00Z"),
        "Recorded at: Chamonix",
        "Other languages: Ukrainian",
        "Upload: Rejected",
        "the format is not supported",
        "the video is too long",
      ],
    ],
    [
      "content",
      [
        "Length: 1:02:03",
        "Quality: HD",
        "2D or 3D: 3D",
        "Projection: 360°",
        "Has captions: Yes",
        "Partner content: Yes",
        "Custom thumbnail: No",
        "Can only be watched in: New Zealand",
        "Can’t be watched in: Japan and Brazil",
        "Age-restricted on YouTube",
        "FSK: 12",
        "DJCTQ: Fear",
      ],
    ],
    [
      "numbers",
      ["Views: 1,234,567", "Likes: 23,456", "Dislikes: 345", "Comments: 5,678", "Favorites: 45"],
    ],
    [
      "live",
      [
        `Planned start: ${at("2026-06-07T08:00:00Z")}f>`,
        `Planned end: ${at("2026-06-07T09:00:00Z")}f>`,
        `Started: ${at("2026-06-07T08:09:10Z")}f>`,
        `Ended: ${at("2026-06-07T09:09:10Z")}f>`,
        "Watching now: 9,876",
        "Cg0KC2chat",
      ],
    ],
    ["player", ['<iframe src="//x"></iframe>', "Width in pixels: 640", "Height in pixels: 361"]],
    [
      "topics",
      [
        "[Video game culture](https://en.wikipedia.org/wiki/Video_game_culture)",
        "/m/04rlf",
        "/m/0bzvm2",
      ],
    ],
    [
      "recording",
      [
        at("2026-05-06T00:00:00Z"),
        "Place: Chamonix",
        "Latitude: 45.92375",
        "Longitude: 6.86933",
        "Altitude: 1,035 m",
      ],
    ],
    ["localizations", ["Ukrainian: **Ukrainian title**\nUkrainian description"]],
    [
      "promotion",
      [
        "Paid promotion: Yes",
        "[@partner](https://www.youtube.com/channel/UCbbbbbbbbbbbbbbbbbbbbbb)",
      ],
    ],
    [
      "pictures",
      Object.values(video.snippet.thumbnails).flatMap(({ url, width, height }) => [
        `${width} × ${height} ${url}`,
      ]),
    ],
    [
      "file",
      [
        "File: take-7.mov",
        "Size: 118 MB",
        "File type: Video",
        "Format: mov",
        "Length: 1 minute 1 second 500 milliseconds",
        "Bitrate: 8.12 Mb/s",
        at("2026-07-08T09:10:11Z"),
        "Picture 1: 1918 × 1078 · 29.97 frames per second · aspect ratio 1.779 · h264 · 7.9 Mb/s",
        "turned clockwise · by appl",
        "Sound 1: 6 channels · aac · 223 kb/s · by lavf",
      ],
    ],
    [
      "processing",
      [
        "Processing: Failed",
        "Processed so far: 17 of 40 parts",
        "Time left: 1 minute 30 seconds",
        "It could not be converted",
        "File details: Ready",
        "Problems found: In progress",
        "Suggested tags: Not available",
        "Suggested edits: Ready",
        "Thumbnails: Ready",
      ],
    ],
    [
      "suggestions",
      [
        "Errors: The file is a picture.",
        "Edit lists in the file",
        "It is an HDR video.",
        "The picture can be stabilized.",
        "Suggested tags: softbox (Howto & Style)",
      ],
    ],
  ])("have a page %s with every field of its parts", (name, wanted) => {
    const text = textOf(name).replaceAll("\\", "");

    expect(wanted.filter((each) => !text.includes(each))).toEqual([]);
  });

  it("have every part that can be requested on one of their pages", () => {
    const shown = new Set<string>(
      detailsPageNames.flatMap((name) => [...detailsPages[name].parts]),
    );
    const parts = methods["videos.list"].query.part.enum.filter((part) => part !== "id");

    expect(parts.filter((part) => !shown.has(part))).toEqual([]);
  });

  it("keep the parts that only the owner can see on separate pages", () => {
    const needs: readonly string[] = methods["videos.list"].query.part.needsToken;
    const owners = detailsPageNames.filter((name) => "isOwners" in detailsPages[name]);
    const wanted = detailsPageNames.filter((name) =>
      detailsPages[name].parts.some((part) => needs.includes(part)),
    );

    expect(owners).toEqual(wanted);
  });

  it.each(locales)("name every value in %s", (locale) => {
    const raw =
      /creativeCommon|transcodeFailed|inProgress|unavailable|hasEditlist|hdrVideo|imageFile|videoStabilize|djctqFear|ytAgeRestricted|rectangular|uploaded/u;
    const all = detailsPageNames.map((name) => textOf(name, locale)).join("\n");

    expect(raw.exec(all)?.[0]).toBeUndefined();
  });

  it("say nothing if the service says nothing", () => {
    const filled = detailsPageNames.filter(
      (name) => textOf(name, "en-US", { id: "abcdefghijk" }).trim() !== "" && name !== "player",
    );

    expect(filled).toEqual([]);
  });

  it.each(detailsPageNames)("fit the page %s into an embed, however long its texts are", (name) => {
    const long = "*".repeat(5000);
    const grown = JSON.parse(
      JSON.stringify(video, (key, value) =>
        typeof value === "string" && /title|description|tag|fileName|codec/iu.test(key)
          ? long
          : value,
      ),
    ) as Video;

    const { text, fields } = findDetailsPage(name).draw(grown, { words: words(), categories });
    const embed = drawEmbed({ title: "Title", fields, text });

    expect(embedLength(embed)).toBeLessThanOrEqual(6000);
  });
});

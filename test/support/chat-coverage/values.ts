import sharp from "sharp";
import type { OptionInput, SandboxFile } from "../../../src/sandbox/index.ts";

type Typed = Readonly<Record<string, OptionInput>>;

const captions: SandboxFile = {
  name: "captions.srt",
  type: "application/x-subrip",
  data: Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nLow tide\n"),
};
const film: SandboxFile = { name: "a.mp4", type: "video/mp4", data: mp4() };

/** A video as far as its first box, which is all that is checked. */
function mp4(): Buffer {
  const bytes = Buffer.alloc(2_000, 1);
  bytes.write("\0\0\0\x18ftypisom", "latin1");
  return bytes;
}

const width = 2_560;
const large: SandboxFile = {
  name: "large.png",
  type: "image/png",
  data: await sharp({ create: { width, height: 1_440, channels: 3, background: "#f80" } })
    .png()
    .toBuffer(),
};

/** What to enter into an option, by the command and the option, or by the option alone. */
export const optionValues: Typed = {
  after: "2020-01-01",
  author: "Ada",
  before: "2030-01-01",
  "branding banner picture": large,
  "branding thumbnail picture": large,
  captions_language: "de",
  "captions update file": captions,
  "captions upload file": captions,
  channel: "@lowtidemusic",
  "channels add-section channels": "@lowtidemusic",
  "channels edit-section channels": "@lowtidemusic",
  comment: "Thanks for watching.",
  "comments edit text": "Chapters are below, and links.",
  country: "DE",
  description: "Waves and brass",
  duration: "30s",
  filter: "an",
  keywords: "tide, brass",
  language: "de",
  links_to: "@lowtidemusic",
  members: "@lowtidemusic",
  more_language: "fr",
  name: "Signs",
  near: "52.5,13.4",
  note: "First",
  offset: "10s",
  only: "@saltandsourdough",
  publish: "in 3 days",
  query: "light",
  region: "DE",
  search: "tide",
  "subscriptions add channel": "@civicdesk",
  tags: "tide, brass",
  text: "Low tide",
  title: "Low tide",
  translate: "de",
  "videos report detail": "36",
  "videos report comments": "It is the same again.",
  "videos upload captions": captions,
  "videos upload link": "https://127.0.0.1:9/a.mp4",
  "videos upload more_captions": captions,
  "videos upload thumbnail": large,
  "videos upload video": film,
  within: "20km",
};

/** What to enter for a parameter in `extra`, by the command and the parameter, or by the parameter alone. */
export const extraValues: Readonly<Record<string, string>> = {
  "channels edit brandingSettings.channel.trackingAnalyticsAccountId": "UA-1",
  "channels edit invideoPromotion": '{"useSmartTiming": true}',
  "channels show forUsername": "lowtide",
  hl: "de",
  "localizations.*.description": "Low tide; localizations.fr.title=Low tide",
  maxResults: "3",
  topicId: "/m/04rlf",
  // Different from the values of the upload, because unchanged values are not sent.
  "videos edit localizations.*.title": "Ebb",
  "videos edit localizations.*.description": "Ebb; localizations.fr.title=Low tide",
};

/** Options that a command always gets besides its required ones; without them it would show something else. */
export const beside: Readonly<Record<string, Typed>> = {
  "captions update": { draft: true },
  "channels edit": { language: "de" },
  "playlists add": { again: true },
  "playlists create": { language: "de" },
  "playlists edit": { language: "de" },
  "playlists move": { position: "bottom" },
  search: { type: "video" },
  "videos edit": { language: "de" },
  "videos report": { reason: "V", detail: "36" },
  "videos upload": { title: "Low tide", video: film, privacy: "private", language: "de" },
};

/** Uses of a command that no single option leads to. */
export const scenarios: readonly (readonly [path: string, options: Typed])[] = [
  ["captions download", { format: "vtt" }],
  ["channels add-section", { type: "recentUploads", position: 1 }],
  [
    "channels add-section",
    { type: "multipleChannels", title: "Low tide", channels: "@lowtidemusic" },
  ],
  [
    "channels edit-section",
    { type: "multipleChannels", title: "Low tide", channels: "@lowtidemusic" },
  ],
  ["comments held", {}],
  ["subscriptions subscribers", { order: "newest" }],
  ["subscriptions subscribers", { order: "alphabetical" }],
  ["videos list", { show: "liked" }],
  ["comments moderate", { decision: "ban" }],
];

/** Commands that show a resource, in addition to the plain lists. */
export const shows: readonly (readonly [path: string, options: Typed])[] = [
  ["channels edit", {}],
  ["channels show", { extra: "mine=true", output: "raw" }],
  ["comments held", {}],
  ["playlists list", { mine: true }],
  ["subscriptions list", { mine: true }],
  ["subscriptions subscribers", {}],
  ["videos list", { details: "file", output: "raw" }],
  ["videos list", { details: "processing", output: "raw" }],
  ["videos list", { details: "promotion", output: "raw" }],
  ["videos list", { details: "settings", output: "raw" }],
  ["videos list", { details: "suggestions", output: "raw" }],
  ["videos show", { video: "dQw4w9WgXcQ" }],
];

import { seededRandom, shuffle } from "./random.ts";
import type { StoredLiveState, StoredPrivacy, StoredVideo } from "./records.ts";
import channels from "./samples/channels.json" with { type: "json" };
import series from "./samples/series.json" with { type: "json" };

export interface SampleVideo {
  readonly title: string;
  readonly seconds: number;
  readonly live?: StoredLiveState;
  /** Start of a broadcast, in hours from now. */
  readonly startsInHours?: number;
  readonly privacy?: StoredPrivacy;
  readonly audience?: StoredVideo["audience"];
  readonly blockedIn?: readonly string[];
  readonly hidesLikes?: boolean;
  readonly commentsOff?: boolean;
  readonly promotion?: boolean;
  /** Latitude and longitude. */
  readonly location?: readonly number[];
}

export interface SampleChannel {
  readonly title: string;
  readonly handle: string;
  readonly username?: string;
  readonly about: string;
  readonly country: string;
  readonly language: string;
  readonly categoryId: string;
  readonly keywords: readonly string[];
  readonly subscribers: number;
  readonly hidesSubscribers?: boolean;
  /** Whether the service keeps its history and Watch later from its owner too. */
  readonly hasClosedLists?: boolean;
  readonly hue: number;
  /** Days between two uploads. */
  readonly paceDays: number;
  /** Newest first. */
  readonly videos: readonly SampleVideo[];
}

// The compiler reads the words of a JSON file as any string.
const writtenChannels = channels as readonly SampleChannel[];

/** How many of the first videos are written by hand; the creator's likes and playlists use only these. */
export const writtenVideos = writtenChannels.reduce((sum, { videos }) => sum + videos.length, 0);

/**
 * The channels of `samples/channels.json`, of which the sandbox creator's own comes first, then those of
 * `samples/series.json`, whose titles are every subject in every pattern: search, charts and lists have more than a
 * handful to choose from. Some titles are hostile on purpose: what shows them must escape.
 */
export function listSampleChannels(): readonly SampleChannel[] {
  const random = seededRandom(31);
  return [...writtenChannels, ...series.map((channel) => fillSeries(channel, random))];
}

const videosEach = 20;

function fillSeries(
  { patterns, subjects, ...channel }: (typeof series)[number],
  random: () => number,
): SampleChannel {
  const titles = subjects.flatMap((subject) =>
    patterns.map((pattern) => {
      const title = pattern.replace("{}", () => subject);
      return title.charAt(0).toLocaleUpperCase() + title.slice(1);
    }),
  );
  const videos = shuffle(titles, random)
    .slice(0, videosEach)
    .map((title) => ({ title, seconds: pickLength(random), ...pickExtras(random) }));
  return { ...channel, videos };
}

/** One in eight is a short; the others last up to an hour, most of them some ten minutes. */
function pickLength(random: () => number): number {
  if (random() < 0.125) return 14 + Math.floor(random() * 46);
  return 150 + Math.floor(random() ** 2.5 * 3400);
}

function pickExtras(random: () => number): Partial<SampleVideo> {
  const chance = random();
  if (chance < 0.02) return { commentsOff: true };
  if (chance < 0.04) return { hidesLikes: true };
  if (chance < 0.06) return { privacy: "unlisted" };
  if (chance < 0.08) return { privacy: "private" };
  return chance < 0.14 ? { promotion: true } : {};
}

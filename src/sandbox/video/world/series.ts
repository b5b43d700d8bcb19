import { type ChannelEntry, catalog, type Entry, type Extras } from "./catalog.ts";
import { seriesChannels } from "./series-channels.ts";

/** A channel whose titles are made: every subject in every pattern, as many as are wanted. */
export interface SeriesChannel extends Omit<ChannelEntry, "videos"> {
  /** `{}` is the place of the subject. */
  readonly patterns: readonly string[];
  readonly subjects: readonly string[];
}

const videosEach = 20;

/** How many of the world's first videos are hand-written; what the creator likes and collects is among them. */
export const writtenVideos = catalog.reduce((sum, { videos }) => sum + videos.length, 0);

/** All channels of the world, the hand-written ones first. */
export function allEntries(random: () => number): ChannelEntry[] {
  return [...catalog, ...seriesChannels.map((channel) => toEntry(channel, random))];
}

function toEntry({ patterns, subjects, ...channel }: SeriesChannel, random: () => number) {
  const titles = subjects.flatMap((subject) => patterns.map((pattern) => fill(pattern, subject)));
  const videos = shuffle(titles, random)
    .slice(0, videosEach)
    .map((title): Entry => [title, lengthOf(random), extrasOf(random)]);
  return { ...channel, videos };
}

function fill(pattern: string, subject: string): string {
  const title = pattern.replace("{}", () => subject);
  return title.charAt(0).toLocaleUpperCase() + title.slice(1);
}

/** One in eight is a short; the others last up to an hour, most of them some ten minutes. */
function lengthOf(random: () => number): number {
  if (random() < 0.125) return 14 + Math.floor(random() * 46);
  return 150 + Math.floor(random() ** 2.5 * 3400);
}

function extrasOf(random: () => number): Extras {
  const chance = random();
  if (chance < 0.02) return { commentsOff: true };
  if (chance < 0.04) return { hidesLikes: true };
  if (chance < 0.06) return { privacy: "unlisted" };
  if (chance < 0.08) return { privacy: "private" };
  return chance < 0.14 ? { promotion: true } : {};
}

/** The same things in another order. */
export function shuffle<T>(things: readonly T[], random: () => number): T[] {
  return things
    .map((thing) => [random(), thing] as const)
    .sort(([one], [other]) => one - other)
    .map(([, thing]) => thing);
}

import type { VideoNews } from "../types.ts";
import {
  defaultCategory,
  mintId,
  newVideo,
  type StoredChannel,
  type StoredVideo,
  type VideoState,
} from "./data/index.ts";

/** A video that a channel publishes while the stand-in runs. */
interface Release {
  /** The sandbox creator's when absent. */
  readonly channelId?: string;
  readonly title: string;
  /**
   * 600 when absent. A broadcast with a length is a premiere, which shows a finished video; one without is a stream.
   */
  readonly seconds?: number;
  /** Of the picture; wide when absent. */
  readonly shape?: StoredVideo["shape"];
  readonly privacy?: StoredVideo["privacy"];
  /** When a private one becomes public automatically. Milliseconds since 1970. */
  readonly publishAt?: number;
  /** For a premiere or a stream: whether it is planned or running. */
  readonly live?: "upcoming" | "live";
  /** When a premiere or a stream is planned to begin; now when absent. */
  readonly startsAt?: number;
  /** When it is planned to end, which few say. */
  readonly endsAt?: number;
  readonly categoryId?: string;
  readonly tags?: readonly string[];
  /** Names of Wikipedia's articles, such as `Music`; those of its category when absent. */
  readonly topics?: readonly string[];
}

/**
 * What creators do without the API. Throws if there is no such video or channel.
 *
 * A stream begins and ends when `goLive` and `endLive` say so, whatever was planned. A premiere begins at its time and ends
 * after its length by itself, unless these come first.
 */
export interface Releases {
  publish(release: Release): { readonly id: string };
  /** The video as it is now; undefined once it is deleted. */
  find(id: string): Readonly<StoredVideo> | undefined;
  /** With `isListedLate` its snippet still says that it is to come, until this is called again without. */
  goLive(id: string, options?: { readonly isListedLate?: boolean }): void;
  /** How many watch a broadcast; undefined to hide how many. */
  setViewers(id: string, viewers: number | undefined): void;
  /**
   * It ends, and its recording stays. With 0 seconds the recording of a stream can't be watched yet, until
   * `finishProcessing`; a premiere keeps its length.
   */
  endLive(id: string, seconds?: number): void;
  /** The recording of a stream can be watched; as long as the stream was when the length is absent. */
  finishProcessing(id: string, seconds?: number): void;
  reschedule(id: string, startsAt: number, endsAt?: number): void;
  rename(id: string, title: string): void;
  setPrivacy(id: string, privacy: StoredVideo["privacy"]): void;
  withdraw(id: string): void;
  /** Removes a channel with its videos; returns a function that restores them. */
  closeChannel(id: string): () => void;
}

const usualSeconds = 600;
const usualViewers = 12;

export function createReleases(state: VideoState, news: News, now: () => number): Releases {
  function find(id: string): StoredVideo | undefined {
    for (const video of playDue(state, now())) news.published(video);
    return state.videos.get(id);
  }
  function requireVideo(id: string): StoredVideo {
    const video = find(id);
    if (video === undefined) throw new Error(`there is no video ${id}`);
    return video;
  }
  function change(id: string, changes: Partial<StoredVideo>): void {
    news.published(Object.assign(requireVideo(id), changes));
  }
  function requireChannel(id: string): StoredChannel {
    const channel = state.channels.get(id);
    if (channel === undefined) throw new Error(`there is no channel ${id}`);
    return channel;
  }
  return {
    find,
    publish: ({ channelId = state.ownChannelId, ...release }) => {
      requireChannel(channelId);
      const { title, live, privacy = "public", publishAt, tags = [], topics } = release;
      const video = newVideo({
        id: mintId(state, "release", 11),
        channelId,
        title,
        privacy,
        publishAt,
        shape: "shape" in release ? release.shape : "wide",
        description: `${title}.`,
        publishedAt: now(),
        seconds: release.seconds ?? (live === undefined ? usualSeconds : 0),
        live: live ?? "none",
        startsAt: live === undefined ? undefined : (release.startsAt ?? now()),
        endsAt: release.endsAt,
        liveAt: live === "live" ? now() : undefined,
        viewers: live === "live" ? usualViewers : undefined,
        categoryId: release.categoryId ?? defaultCategory,
        tags,
        topics,
      });
      state.videos.set(video.id, video);
      news.published(video);
      return { id: video.id };
    },
    goLive: (id, { isListedLate = false } = {}) => {
      const { live, liveAt, viewers } = requireVideo(id);
      const isOn = live === "live";
      change(id, {
        live: "live",
        isListedLate,
        liveAt: isOn ? liveAt : now(),
        viewers: isOn ? viewers : usualViewers,
      });
    },
    setViewers: (id, viewers) => {
      const video = requireVideo(id);
      // Whoever joins watches it once.
      video.views += Math.max(0, (viewers ?? 0) - (video.viewers ?? 0));
      video.viewers = viewers;
    },
    endLive: (id, seconds = usualSeconds) =>
      change(id, endOf(now(), requireVideo(id).seconds || seconds)),
    finishProcessing: (id, seconds) => {
      const { liveAt = 0, overAt = 0 } = requireVideo(id);
      change(id, { seconds: seconds ?? Math.max(1, Math.round((overAt - liveAt) / 1000)) });
    },
    reschedule: (id, startsAt, endsAt) => change(id, { startsAt, endsAt }),
    rename: (id, title) => change(id, { title }),
    setPrivacy: (id, privacy) => {
      const video = requireVideo(id);
      const was = video.privacy;
      video.privacy = privacy;
      if (privacy === "public" && was !== "public") video.publishedAt = now();
      if (privacy !== "public" && was === "public") news.gone(video);
      news.published(video);
    },
    withdraw: (id) => {
      const video = requireVideo(id);
      state.videos.delete(id);
      if (video.privacy === "public") news.gone(video);
    },
    closeChannel: (id) => {
      const channel = requireChannel(id);
      const videos = [...state.videos.values()].filter((video) => video.channelId === id);
      state.channels.delete(id);
      for (const video of videos) state.videos.delete(video.id);
      return () => {
        state.channels.set(id, channel);
        for (const video of videos) state.videos.set(video.id, video);
      };
    },
  };
}

export interface News {
  /** A video is new or was changed; only public ones are reported. */
  published(video: StoredVideo): void;
  gone(video: StoredVideo): void;
  /** After a write: `before` is the video when everybody saw it, `answer` what the method answered. */
  written(before: StoredVideo | undefined, answer: unknown): void;
}

export function createNews(state: VideoState, onNews: (video: VideoNews) => void): News {
  function report({ id, channelId, title, publishedAt }: StoredVideo, isDeleted?: true): void {
    const channelTitle = state.channels.get(channelId)?.title ?? "";
    const facts = { videoId: id, channelId, title, publishedAt, channelTitle };
    onNews(isDeleted ? { ...facts, isDeleted } : facts);
  }
  const news: News = {
    published: (video) => {
      if (video.privacy === "public") report(video);
    },
    gone: (video) => report(video, true),
    written: (before, answer) => {
      const { id } = Object(answer) as { readonly id?: string };
      const video = state.videos.get(id ?? before?.id ?? "");
      if (video?.privacy === "public") news.published(video);
      else if (before !== undefined) news.gone(before);
    },
  };
  return news;
}

/** Does what happens by itself when its time has come, and returns the videos that it changed. */
export function playDue({ videos }: VideoState, now: number): readonly StoredVideo[] {
  return [...videos.values()].filter((video) => {
    const changes = [publishDue, beginDue, endDue].map((change) => change(video, now));
    return changes.includes(true);
  });
}

/** A scheduled video becomes public. */
function publishDue(video: StoredVideo, now: number): boolean {
  if (video.publishAt === undefined || video.publishAt > now) return false;
  video.privacy = "public";
  video.publishedAt = video.publishAt;
  video.publishAt = undefined;
  return true;
}

/** A premiere begins; a stream waits for its creator. */
function beginDue(video: StoredVideo, now: number): boolean {
  const { live, seconds, startsAt = now } = video;
  if (live !== "upcoming" || seconds === 0 || startsAt > now) return false;
  Object.assign(video, { live: "live", liveAt: startsAt, viewers: usualViewers });
  return true;
}

/** A premiere ends. */
function endDue(video: StoredVideo, now: number): boolean {
  const { live, seconds, liveAt = now } = video;
  const overAt = liveAt + seconds * 1000;
  if (live !== "live" || seconds === 0 || overAt > now) return false;
  Object.assign(video, endOf(overAt, seconds));
  return true;
}

function endOf(overAt: number, seconds: number): Partial<StoredVideo> {
  return { live: "completed", isListedLate: false, overAt, seconds, viewers: undefined };
}

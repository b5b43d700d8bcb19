import type { VideoNews } from "../types.ts";
import { mintId, newVideo, type StoredVideo, type VideoState } from "./data/index.ts";

/** A video that a channel publishes while the service runs. */
interface Release {
  /** The sandbox creator's when absent. */
  readonly channelId?: string;
  readonly title: string;
  /** 600 when absent; 0 for a broadcast that has not ended. */
  readonly seconds?: number;
  /** Of the picture; wide when absent. */
  readonly shape?: StoredVideo["shape"];
  readonly privacy?: StoredVideo["privacy"];
  /** When a private one becomes public automatically. Milliseconds since 1970. */
  readonly publishAt?: number;
  /** A premiere or a stream that is announced for later, or one that is on. */
  readonly live?: "upcoming" | "live";
  /** When that was planned to begin. */
  readonly startsAt?: number;
}

/** What creators do without the API. Throws if there is no such video or channel. */
export interface Releases {
  publish(release: Release): { readonly id: string };
  goLive(id: string): void;
  /** It ends, and its recording stays. */
  endLive(id: string, seconds?: number): void;
  reschedule(id: string, startsAt: number): void;
  rename(id: string, title: string): void;
  setPrivacy(id: string, privacy: StoredVideo["privacy"]): void;
  withdraw(id: string): void;
  /** Removes a channel with its videos; returns a function that restores them. */
  closeChannel(id: string): () => void;
}

const usualSeconds = 600;

export function createReleases(state: VideoState, news: News, now: () => number): Releases {
  const requireVideo = (id: string): StoredVideo => {
    const video = state.videos.get(id);
    if (video === undefined) throw new Error(`there is no video ${id}`);
    return video;
  };
  const changed = (id: string, change: Partial<StoredVideo>): void => {
    news.published(Object.assign(requireVideo(id), change));
  };
  return {
    publish: (release) => {
      const channelId = release.channelId ?? state.ownChannelId;
      if (!state.channels.has(channelId)) throw new Error(`there is no channel ${channelId}`);
      const video = toVideo(state, { ...release, channelId }, now());
      state.videos.set(video.id, video);
      news.published(video);
      return { id: video.id };
    },
    goLive: (id) => changed(id, { live: "live", liveAt: now(), seconds: 0, viewers: 12 }),
    endLive: (id, seconds = usualSeconds) =>
      changed(id, { live: "completed", seconds, viewers: undefined }),
    reschedule: (id, startsAt) => changed(id, { startsAt }),
    rename: (id, title) => changed(id, { title }),
    setPrivacy: (id, privacy) => {
      const video = requireVideo(id);
      const was = video.privacy;
      video.privacy = privacy;
      if (privacy === "public" && was !== "public") video.publishedAt = now();
      if (privacy === "public") news.published(video);
      else if (was === "public") news.gone(video);
    },
    withdraw: (id) => {
      const video = requireVideo(id);
      state.videos.delete(id);
      if (video.privacy === "public") news.gone(video);
    },
    closeChannel: (id) => {
      const channel = state.channels.get(id);
      if (channel === undefined) throw new Error(`there is no channel ${id}`);
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

type ReleaseOfChannel = Release & { readonly channelId: string };

function toVideo(state: VideoState, release: ReleaseOfChannel, now: number): StoredVideo {
  const { channelId, title, live, startsAt, privacy = "public", publishAt } = release;
  const shape = "shape" in release ? release.shape : "wide";
  return newVideo({
    id: mintId(state, "release", 11),
    channelId,
    title,
    privacy,
    publishAt,
    shape,
    description: `${title}.`,
    publishedAt: now,
    seconds: release.seconds ?? (live === undefined ? usualSeconds : 0),
    live: live ?? "none",
    startsAt: live === undefined ? undefined : (startsAt ?? now),
    liveAt: live === "live" ? now : undefined,
    viewers: live === "live" ? 12 : undefined,
  });
}

export interface News {
  /** It is new to everybody, or was changed. */
  published(video: StoredVideo): void;
  gone(video: StoredVideo): void;
  /** After a write: `before` is the video when everybody saw it, `answer` what the method answered. */
  written(before: StoredVideo | undefined, answer: unknown): void;
}

export function createNews(state: VideoState, onNews: (video: VideoNews) => void): News {
  const describeNews = ({ id, channelId, title, publishedAt }: StoredVideo): VideoNews => ({
    videoId: id,
    channelId,
    title,
    publishedAt,
    channelTitle: state.channels.get(channelId)?.title ?? "",
  });
  const gone = (video: StoredVideo) => onNews({ ...describeNews(video), isDeleted: true });
  const published = (video: StoredVideo) => {
    if (video.privacy === "public") onNews(describeNews(video));
  };
  return {
    published,
    gone,
    written: (before, answer) => {
      const { id } = Object(answer) as { readonly id?: string };
      const video = state.videos.get(id ?? before?.id ?? "");
      if (video?.privacy === "public") published(video);
      else if (before !== undefined) gone(before);
    },
  };
}

/** Publishes the videos whose scheduled time has come, and returns them. */
export function publishDue({ videos }: VideoState, now: number): readonly StoredVideo[] {
  const due = [...videos.values()].filter(
    ({ publishAt }) => publishAt !== undefined && publishAt <= now,
  );
  for (const video of due) {
    video.privacy = "public";
    video.publishedAt = video.publishAt ?? now;
    video.publishAt = undefined;
  }
  return due;
}

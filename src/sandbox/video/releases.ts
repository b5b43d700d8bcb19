import type { VideoNews } from "../types.ts";
import {
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
  /** 600 when absent; 0 for a broadcast that has not ended. */
  readonly seconds?: number;
  /** Of the picture; wide when absent. */
  readonly shape?: StoredVideo["shape"];
  readonly privacy?: StoredVideo["privacy"];
  /** When a private one becomes public automatically. Milliseconds since 1970. */
  readonly publishAt?: number;
  /** For a premiere or a stream: whether it is planned or running. */
  readonly live?: "upcoming" | "live";
  /** When a premiere or a stream is planned to begin. */
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
  function requireVideo(id: string): StoredVideo {
    const video = state.videos.get(id);
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
    publish: ({ channelId = state.ownChannelId, ...release }) => {
      requireChannel(channelId);
      const { title, live, privacy = "public", publishAt } = release;
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
        liveAt: live === "live" ? now() : undefined,
        viewers: live === "live" ? 12 : undefined,
      });
      state.videos.set(video.id, video);
      news.published(video);
      return { id: video.id };
    },
    goLive: (id) => change(id, { live: "live", liveAt: now(), seconds: 0, viewers: 12 }),
    endLive: (id, seconds = usualSeconds) =>
      change(id, { live: "completed", seconds, viewers: undefined }),
    reschedule: (id, startsAt) => change(id, { startsAt }),
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

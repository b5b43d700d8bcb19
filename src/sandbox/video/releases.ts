import type { VideoNews } from "../types.ts";
import { mintId, newVideo, type Video, type World } from "./world/index.ts";

/** What a channel brings out while the service runs. */
export interface Release {
  /** The sandbox creator's when absent. */
  readonly channelId?: string;
  readonly title: string;
  /** 600 when absent; 0 for a broadcast that has not ended. */
  readonly seconds?: number;
  /** Of the picture; wide when absent. */
  readonly shape?: Video["shape"];
  readonly privacy?: Video["privacy"];
  /** When a private one becomes public automatically. Milliseconds since 1970. */
  readonly publishAt?: number;
  /** A premiere or a stream that is announced for later, or one that is on. */
  readonly live?: "upcoming" | "live";
  /** When that was planned to begin. */
  readonly startsAt?: number;
}

/** Creators, who act without the service's methods. Throws where there is no such video or channel. */
export interface Releases {
  publish(release: Release): { readonly id: string };
  /** A planned broadcast begins. */
  goLive(id: string): void;
  /** It ends, and its recording stays. */
  endLive(id: string, seconds?: number): void;
  reschedule(id: string, startsAt: number): void;
  rename(id: string, title: string): void;
  setPrivacy(id: string, privacy: Video["privacy"]): void;
  withdraw(id: string): void;
  /** A channel ends, with all that it had; answers how it comes back. */
  closeChannel(id: string): () => void;
}

const usualSeconds = 600;

export function createReleases(world: World, news: News, now: () => number): Releases {
  const videoOf = (id: string): Video => {
    const video = world.videos.get(id);
    if (video === undefined) throw new Error(`there is no video ${id}`);
    return video;
  };
  const changed = (id: string, change: Partial<Video>): void => {
    news.published(Object.assign(videoOf(id), change));
  };
  return {
    publish: (release) => {
      const channelId = release.channelId ?? world.ownChannelId;
      if (!world.channels.has(channelId)) throw new Error(`there is no channel ${channelId}`);
      const video = toVideo(world, { ...release, channelId }, now());
      world.videos.set(video.id, video);
      news.published(video);
      return { id: video.id };
    },
    goLive: (id) => changed(id, { live: "live", liveAt: now(), seconds: 0, viewers: 12 }),
    endLive: (id, seconds = usualSeconds) =>
      changed(id, { live: "completed", seconds, viewers: undefined }),
    reschedule: (id, startsAt) => changed(id, { startsAt }),
    rename: (id, title) => changed(id, { title }),
    setPrivacy: (id, privacy) => {
      const video = videoOf(id);
      const was = video.privacy;
      video.privacy = privacy;
      if (privacy === "public" && was !== "public") video.publishedAt = now();
      if (privacy === "public") news.published(video);
      else if (was === "public") news.gone(video);
    },
    withdraw: (id) => {
      const video = videoOf(id);
      world.videos.delete(id);
      if (video.privacy === "public") news.gone(video);
    },
    closeChannel: (id) => {
      const channel = world.channels.get(id);
      if (channel === undefined) throw new Error(`there is no channel ${id}`);
      const videos = [...world.videos.values()].filter((video) => video.channelId === id);
      world.channels.delete(id);
      for (const video of videos) world.videos.delete(video.id);
      return () => {
        world.channels.set(id, channel);
        for (const video of videos) world.videos.set(video.id, video);
      };
    },
  };
}

type Made = Release & { readonly channelId: string };

function toVideo(world: World, release: Made, now: number): Video {
  const { channelId, title, live, startsAt, privacy = "public", publishAt } = release;
  const shape = "shape" in release ? release.shape : "wide";
  return newVideo({
    id: mintId(world, "release", 11),
    ...{ channelId, title, privacy, publishAt, shape },
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
  published(video: Video): void;
  gone(video: Video): void;
  /** After a write: `before` is the video when everybody saw it, `answer` what the method answered. */
  written(before: Video | undefined, answer: unknown): void;
}

export function createNews(world: World, tell: (video: VideoNews) => void): News {
  const newsOf = ({ id, channelId, title, publishedAt }: Video): VideoNews => ({
    ...{ videoId: id, channelId, title, publishedAt },
    channelTitle: world.channels.get(channelId)?.title ?? "",
  });
  const gone = (video: Video) => tell({ ...newsOf(video), isDeleted: true });
  const published = (video: Video) => {
    if (video.privacy === "public") tell(newsOf(video));
  };
  return {
    published,
    gone,
    written: (before, answer) => {
      const { id } = Object(answer) as { readonly id?: string };
      const video = world.videos.get(id ?? before?.id ?? "");
      if (video?.privacy === "public") published(video);
      else if (before !== undefined) gone(before);
    },
  };
}

/** Makes public what its owner scheduled for a time that has come, and answers it. */
export function publishDue({ videos }: World, now: number): readonly Video[] {
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

import type { Video, World } from "./world/index.ts";

/** What the service's publisher tells its hub of. */
export interface Novelty {
  readonly videoId: string;
  readonly channelId: string;
  readonly channelTitle: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
  readonly isDeleted?: true;
}

export interface News {
  /** It is new to everybody, or was changed. */
  published(video: Video): void;
  gone(video: Video): void;
  /** After a write: `before` is the video when everybody saw it, `answer` what the method answered. */
  written(before: Video | undefined, answer: unknown): void;
}

export function createNews(world: World, tell: (novelty: Novelty) => void): News {
  const noveltyOf = ({ id, channelId, title, publishedAt }: Video): Novelty => ({
    ...{ videoId: id, channelId, title, publishedAt },
    channelTitle: world.channels.get(channelId)?.title ?? "",
  });
  const gone = (video: Video) => tell({ ...noveltyOf(video), isDeleted: true });
  const published = (video: Video) => {
    if (video.privacy === "public") tell(noveltyOf(video));
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

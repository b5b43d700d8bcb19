import type { World } from "./types.ts";

/** Makes public what its owner scheduled for a time that has come. */
export function publishDue({ videos }: World, now: number): void {
  for (const video of videos.values()) {
    if (video.publishAt === undefined || video.publishAt > now) continue;
    video.privacy = "public";
    video.publishedAt = video.publishAt;
    video.publishAt = undefined;
  }
}

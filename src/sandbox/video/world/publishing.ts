import type { Video, World } from "./types.ts";

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

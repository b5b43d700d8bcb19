import { stableId } from "./random.ts";
import type { CaptionTrack } from "./things.ts";
import type { Video, World } from "./types.ts";

/** Gives videos with captions a track their owner wrote, and most videos one the service made by itself. */
export function addCaptions(world: World): void {
  for (const [index, video] of [...world.videos.values()].entries()) {
    if (video.seconds === 0) continue;
    if (video.hasCaptions) add(world, toTrack(video, "standard", video.audioLanguage ?? "en"));
    if (video.hasCaptions && index % 3 === 0) add(world, toTrack(video, "standard", "fr"));
    if (index % 2 === 0) add(world, toTrack(video, "ASR", video.audioLanguage ?? "en"));
  }
}

function add(world: World, track: CaptionTrack): void {
  world.captions.set(track.id, track);
}

function toTrack(
  { id: videoId, publishedAt }: Video,
  trackKind: CaptionTrack["trackKind"],
  language: string,
): CaptionTrack {
  return {
    id: stableId(`caption ${videoId} ${trackKind} ${language}`, 40),
    videoId,
    language,
    name: "",
    trackKind,
    isDraft: false,
    updatedAt: publishedAt + 600_000,
    bytes: undefined,
    format: "srt",
  };
}

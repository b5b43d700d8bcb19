import type { CaptionTrack, Video } from "../world/index.ts";
import type { Cue } from "./cues.ts";

const lineMs = 3_500;
const maxLines = 40;

/** What is said in a video of the world: its own words, spread over its length. */
export function writeScript(video: Video, { trackKind }: CaptionTrack): readonly Cue[] {
  const words = `${video.title}. ${video.description}`.replace(/\s+/g, " ").split(" ");
  const count = Math.max(1, Math.min(maxLines, Math.floor((video.seconds * 1000) / lineMs)));
  return Array.from({ length: count }, (_, index) => {
    const line = Array.from({ length: 6 }, (_, word) => words[(index * 6 + word) % words.length]);
    const text = line.join(" ");
    const start = index * lineMs;
    // What the service hears itself has neither capitals nor stops.
    const said = trackKind === "ASR" ? text.toLowerCase().replace(/[.,!?:]/g, "") : text;
    return { start, end: start + lineMs - 200, text: said };
  });
}

import type { Call } from "../call.ts";
import { readCaptions, translateCues, writeCaptions, writeScript } from "../captions/index.ts";
import { badParameter, type Refusal } from "../refusal.ts";
import type { CaptionFormat, CaptionTrack } from "../world/index.ts";

export const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The file as it was uploaded, unless another format or language is asked for. */
export function readFile({ query, world }: Call, track: CaptionTrack): Uint8Array {
  const format = (query.text("tfmt") as CaptionFormat | undefined) ?? track.format;
  const language = query.text("tlang");
  if (format === undefined || track.format === undefined) throw couldNotConvert();
  if (track.bytes !== undefined && format === track.format && language === undefined) {
    return track.bytes;
  }
  const video = world.videos.get(track.videoId);
  const cues = track.bytes ? readCaptions(track.bytes)?.cues : video && writeScript(video, track);
  if (language !== undefined && !languageTag.test(language)) throw couldNotConvert("tlang");
  const said = language === undefined ? cues : cues && translateCues(cues, language);
  const bytes = said && writeCaptions(said, format);
  if (bytes === undefined) throw couldNotConvert();
  return bytes;
}

function couldNotConvert(parameter: "tfmt" | "tlang" = "tfmt"): Refusal {
  const message = "The track could not be converted into what was asked for.";
  return badParameter(parameter, message, "couldNotConvert");
}

import type { CaptionFormat } from "../world/index.ts";
import type { Cue } from "./cues.ts";
import { timedText } from "./timed-text.ts";

/** What a caption file is, and what it says. */
export interface ReadCaptions {
  readonly format: CaptionFormat;
  /** Undefined for a format that is only kept as it is. */
  readonly cues: readonly Cue[] | undefined;
}

/** Undefined for a file without times, which a plain transcript is. */
export function readCaptions(bytes: Uint8Array): ReadCaptions | undefined {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n").trim();
  if (text.startsWith("Scenarist_SCC")) return { format: "scc", cues: undefined };
  for (const [format, { read }] of Object.entries(timedText)) {
    const cues = read(text);
    if (cues.length > 0) return { format: format as CaptionFormat, cues };
  }
  return undefined;
}

/** Undefined when there is no way to write the format. */
export function writeCaptions(cues: readonly Cue[], format: CaptionFormat): Uint8Array | undefined {
  if (format === "scc") return undefined;
  return new TextEncoder().encode(timedText[format].write(cues));
}

/** Nothing is translated: the lines say which language they would be in. */
export function translateCues(cues: readonly Cue[], language: string): readonly Cue[] {
  return cues.map((cue) => ({ ...cue, text: `[${language}] ${cue.text}` }));
}

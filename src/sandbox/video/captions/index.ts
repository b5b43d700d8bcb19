export { readCaptions, translateCues, writeCaptions } from "./convert.ts";
export type { Cue } from "./cues.ts";
export { writeScript } from "./script.ts";

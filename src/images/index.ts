/** Packs files into one ZIP: names made safe and unique, dates fixed. jszip is loaded by the first call. */
export { type NamedFile, zipFiles } from "./archive/zip-files.ts";
export { type CreateImagesOptions, createImages } from "./images.ts";
export { type RawPixels, readPixels, resizePixels, writePixels } from "./pixels.ts";
/** What pictures can be made into, and with which options. */
export type * from "./types.ts";

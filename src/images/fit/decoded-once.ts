import { type Source, upright } from "../files/anatomy.ts";
import { loadSharp, opening } from "../sharp.ts";

/** Decoders that take a second or more, where the rest of the work reads a picture several times. */
const isSlow = ({ format, isLossless = false }: Source) =>
  format === "avif" || format === "heic" || isLossless;

/** The same picture upright as a file that is read in no time: its pixels and its profile. */
export async function decodedOnce(source: Source): Promise<Source> {
  if (!isSlow(source)) return source;
  const sharp = await loadSharp();
  const pipeline = sharp(source.bytes, opening(source)).autoOrient().keepIccProfile();
  const bytes = await pipeline.png({ compressionLevel: 0, adaptiveFiltering: false }).toBuffer();
  return { ...source, ...upright(source), orientation: 1, bytes };
}

import type { Metadata, Sharp as Pipeline } from "sharp";
import { dissect, isSent, type Source, upright } from "../files/anatomy.ts";
import { proveReadable, strip } from "../files/untouched.ts";
import { refusal, translate } from "../refusal.ts";
import { loadSharp, openColored, opening, type Sharp } from "../sharp.ts";
import type { Size } from "../size.ts";
import type { FitFormat, FitOptions, Fitted } from "../types.ts";
import { decodedOnce, isOpaque, keepsProfile } from "./decoding.ts";
import { aim, type Effort, lower, maxEncodes, quality, qualityPerE } from "./lower.ts";
import { type Layout, layOut, shrink } from "./place.ts";

type Options = Omit<FitOptions, "signal">;

/** A picture on its way into its place. */
interface Work {
  readonly sharp: Sharp;
  readonly source: Source;
  /** As people see it. */
  readonly size: Size;
  readonly options: Options;
  readonly metadata: Metadata;
}

interface Attempt extends Pick<Effort, "q"> {
  readonly format: FitFormat;
  readonly layout: Layout;
}

const colorPattern = /^#[0-9a-f]{6}$/i;
const white = "#ffffff";
const clear = { r: 255, g: 255, b: 255, alpha: 0 } as const;

/** Only pictures full of noise get to where pixels can't go, and their bytes fall half as fast with quality. */
const noisePerE = 2 * qualityPerE;

/** Worse than this is not worth sending; only a file that may lose no more pixels goes below `quality.least`. */
const worstQuality = 20;

/** Does the least that makes the picture fit its place: nothing, metadata out, encode again, crop or shrink. */
export async function fitPicture(bytes: Buffer, options: Options): Promise<Fitted> {
  const { background = white } = options;
  if (!colorPattern.test(background)) throw refusal.background(background);
  const source = await dissect(bytes);
  const size = sizeOf(source, options);
  const layout = layOut(size, options);
  const sharp = await loadSharp();
  try {
    const metadata = await sharp(source.bytes, opening(source)).metadata();
    const work: Work = { sharp, source, size, options, metadata };
    const asItStands = await asItIs(work, layout);
    return (
      asItStands ?? (await encodeAgain({ ...work, source: await decodedOnce(source) }, layout))
    );
  } catch (error) {
    throw translate(error, source.format, bytes.length);
  }
}

/** Of what is taken of the picture. */
function sizeOf(source: Source, { part }: Options): Size {
  const whole = upright(source);
  if (part === undefined) return whole;
  const isWithin = part.left + part.width <= whole.width && part.top + part.height <= whole.height;
  if (!isWithin) throw new RangeError("a part that lies beyond its picture");
  return { width: part.width, height: part.height };
}

/** The file without its metadata, when its pixels, format and bytes already suit the place. */
async function asItIs(work: Work, layout: Layout): Promise<Fitted | undefined> {
  const { sharp, source, size, options, metadata } = work;
  const { format } = source;
  const { format: wanted = "keep" } = options;
  if (!isSent(format) || format === "webp" || source.orientation !== 1) return undefined;
  if (wanted !== "keep" && wanted !== format) return undefined;

  if (options.part !== undefined) return undefined;
  if (!isSame(layout, size) || !keepsProfile(metadata)) return undefined;
  const left = strip(source);
  if (!left || left.bytes.length > options.maxBytes) return undefined;
  await proveReadable(sharp, left);
  return { bytes: left.bytes, format, ...size, fitted: "unchanged" };
}

async function encodeAgain(work: Work, first: Layout): Promise<Fitted> {
  const { maxBytes } = work.options;
  let attempt: Attempt = { format: await firstFormat(work), q: quality.usual, layout: first };
  for (let encodes = 1; ; encodes++) {
    const bytes = await write(pipeline(work, attempt), attempt);
    if (bytes.length <= maxBytes) return result(work, attempt, bytes);
    const next = encodes < maxEncodes && (await nextAttempt(work, attempt, { bytes, encodes }));
    if (!next) throw refusal.tooLarge(bytes.length, maxBytes);
    attempt = next;
  }
}

function result({ size }: Work, { format, layout }: Attempt, bytes: Buffer): Fitted {
  const { width, height, isCropped } = layout;
  const changed = isSame(layout, size) ? "recompressed" : "resized";
  const placed = hasBars(layout) ? "barred" : changed;
  return { bytes, format, width, height, fitted: isCropped ? "cropped" : placed };
}

function hasBars({ drawn, width, height }: Layout): boolean {
  return drawn.width < width || drawn.height < height;
}

/** No place takes more than JPEG and PNG: of all others PNG holds what shows through, JPEG the rest. */
async function firstFormat({ sharp, source, options, metadata }: Work): Promise<FitFormat> {
  const { format = "keep" } = options;
  if (format !== "keep") return format;
  if (source.format === "jpeg" || source.format === "png") return source.format;
  return (await isOpaque(sharp, source, metadata)) ? "jpeg" : "png";
}

/** Gives up the least first: PNG for JPEG where nothing shows through, then quality, then pixels. */
async function nextAttempt(
  work: Work,
  { format, q, layout }: Attempt,
  { bytes, encodes }: { readonly bytes: Buffer; readonly encodes: number },
): Promise<Attempt | undefined> {
  const { size, options } = work;
  const over = bytes.length / (options.maxBytes * aim);
  const smaller = (scale: number) => shrink(layout, scale, size, options);
  if (format === "jpeg") {
    const wanted = lower({ q, scale: 1 }, over, encodes);
    const next = wanted.scale < 1 ? smaller(wanted.scale) : layout;
    // What the place's smallest size does not let go in pixels has to go in quality.
    const missing = (next.width * next.height) / (layout.width * layout.height * wanted.scale ** 2);
    const lowered = Math.floor(wanted.q - noisePerE * Math.log(Math.max(1, missing)));
    return { format, q: Math.max(worstQuality, lowered), layout: next };
  }
  const mayChange = (options.format ?? "keep") === "keep";
  const asJpeg: Attempt = { format: "jpeg", q: quality.usual, layout };
  if (mayChange && (await isOpaque(work.sharp, work.source, work.metadata))) return asJpeg;
  const next = smaller(Math.sqrt(1 / over) * 0.9);
  const fitsThen = (next.width * next.height * over) / (layout.width * layout.height) <= 1;
  if (fitsThen) return { format, q, layout: next };
  return mayChange ? asJpeg : undefined;
}

function pipeline(work: Work, { format, layout }: Attempt): Pipeline {
  const { sharp, source, size, options, metadata } = work;
  const { background } = options;
  const { drawn } = layout;
  const keepsAlpha = format === "png" && metadata.hasAlpha;
  const made = openColored(sharp, source).autoOrient();
  if (options.part) made.extract(options.part);
  if (!keepsAlpha) made.flatten({ background: background ?? white });
  if (!isSame(drawn, size)) {
    const fill = layout.isCropped ? "cover" : "fill";
    // Around what draws the eye: skin, strong colours, edges.
    made.resize(drawn.width, drawn.height, { fit: fill, position: "attention" });
  }
  const isBarred = hasBars(layout);
  if (isBarred) {
    made.extend({
      ...bars(layout),
      background: background ?? (keepsAlpha ? clear : white),
    });
  }
  return colours(made, metadata, { isOnColour: isBarred || (metadata.hasAlpha && !keepsAlpha) });
}

/** A grey picture would make its background grey as well. */
function colours(made: Pipeline, metadata: Metadata, { isOnColour }: { isOnColour: boolean }) {
  const isGrey = metadata.channels < 3;
  if (isGrey && isOnColour) return made.pipelineColourspace("srgb").withIccProfile("srgb");
  // Colours that lose their profile are turned into sRGB, which needs none.
  return keepsProfile(metadata) ? made.keepIccProfile() : made;
}

function bars({ width, height, drawn }: Layout) {
  const left = Math.floor((width - drawn.width) / 2);
  const top = Math.floor((height - drawn.height) / 2);
  return { left, top, right: width - drawn.width - left, bottom: height - drawn.height - top };
}

function write(made: Pipeline, { format, q }: Attempt): Promise<Buffer> {
  const written =
    format === "png"
      ? made.png({ compressionLevel: 2, adaptiveFiltering: true })
      : made.jpeg({ quality: q, chromaSubsampling: "4:2:0", optimiseCoding: false });
  return written.toBuffer();
}

function isSame(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height;
}

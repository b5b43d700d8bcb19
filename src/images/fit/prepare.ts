import { hash } from "node:crypto";
import { dissect, isSent, type Source, upright } from "../files/anatomy.ts";
import { proveReadable, strip } from "../files/untouched.ts";
import { maxClearPixels } from "../limits.ts";
import { refusal, translate } from "../refusal.ts";
import { loadSharp, opening } from "../sharp.ts";
import { shrunkBy } from "../size.ts";
import type { Picture, Prepared, SentFormat } from "../types.ts";
import { decodedOnce, isOpaque, keepsProfile } from "./decoding.ts";
import { encode, type Opened, shrunk } from "./encode-again.ts";
import { aim, type Effort, lower, maxEncodes, quality } from "./lower.ts";

interface Limits {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

/** A picture on its way to the service. */
interface Work extends Opened {
  readonly limits: Limits;
  /** Of the file as it came. */
  readonly fileBytes: number;
}

interface Attempt extends Effort {
  readonly format: SentFormat;
}

type Made = Omit<Prepared, "digest">;

/** A source above it is full of detail; a JPEG of the usual quality has about as much as the second. */
const detailedBytesPerPixel = 0.5;
const usualBytesPerPixel = 0.25;

/** The picture as people see it: upright, by its header, and where it has to be proven by its rows. */
export async function inspect(
  bytes: Buffer,
  { isProven }: { readonly isProven: boolean } = { isProven: false },
): Promise<Picture> {
  const source = await dissect(bytes);
  if (!isProven) return pictureOf(source);
  try {
    await proveReadable(await loadSharp(), source);
    return pictureOf(source);
  } catch (error) {
    throw translate(error, source.format, bytes.length);
  }
}

/** Does the least that makes the picture fit, in this order: nothing, cut metadata out, encode again, fewer pixels. */
export async function prepare(bytes: Buffer, limits: Limits): Promise<Prepared> {
  const source = await dissect(bytes);
  const sharp = await loadSharp();
  try {
    const metadata = await sharp(source.bytes, opening(source)).metadata();
    const work: Work = { sharp, source, metadata, limits, fileBytes: bytes.length };
    const fitted =
      (await asItIs(work)) ?? (await encodeAgain({ ...work, source: await decodedOnce(source) }));
    // Taken here, because tens of megabytes would hold up the event loop of whoever asks.
    return { ...fitted, digest: hash("sha256", bytes) };
  } catch (error) {
    throw translate(error, source.format, bytes.length);
  }
}

function pictureOf(source: Source): Picture {
  return { format: source.format, ...upright(source), frames: source.frames };
}

/** The file without its metadata, when its pixels, colours and bytes already suit. */
async function asItIs({ sharp, source, metadata, limits }: Work): Promise<Made | undefined> {
  const { format } = source;
  const size = upright(source);
  const isAnimation = format === "webp" && source.frames > 1;
  if (!isSent(format) || source.orientation !== 1 || !keepsProfile(metadata) || isAnimation) return;
  const left = strip(source);
  if (!left || left.bytes.length > limits.maxBytes) return;
  if (size.width * size.height > limits.maxPixels) return;
  await proveReadable(sharp, left);
  return { bytes: left.bytes, format, ...size, original: pictureOf(source), fitted: "unchanged" };
}

async function encodeAgain(work: Work): Promise<Made> {
  const { source, limits } = work;
  const first = await firstAttempt(work);
  const pixels = await shrunk(work, { ...first, size: shrunkBy(upright(source), first.scale) });
  let attempt = first;
  for (let encodes = 1; ; encodes++) {
    const size = shrunkBy(upright(source), attempt.scale);
    const bytes = await encode(work, { ...attempt, size, pixels });
    if (bytes.length <= limits.maxBytes) {
      const fitted = whatWasDone(source, first, attempt);
      return { bytes, format: attempt.format, ...size, original: pictureOf(source), fitted };
    }
    if (encodes === maxEncodes) throw refusal.tooLarge(bytes.length, limits.maxBytes);
    attempt = nextAttempt(attempt, bytes.length / (limits.maxBytes * aim), encodes);
  }
}

function whatWasDone({ format }: Source, first: Attempt, last: Attempt): Prepared["fitted"] {
  if (last.scale < 1) return "resized";
  return isSent(format) || last !== first ? "recompressed" : "converted";
}

async function firstAttempt({
  sharp,
  source,
  metadata,
  limits,
  fileBytes,
}: Work): Promise<Attempt> {
  const isClear = !(await isOpaque(sharp, source, metadata));
  const pixels = source.width * source.height;
  const most = isClear ? Math.min(limits.maxPixels, maxClearPixels) : limits.maxPixels;
  const scale = Math.min(1, Math.sqrt(most / pixels));
  const isDetailed = fileBytes / pixels > detailedBytesPerPixel;
  const mayPass = pixels * scale ** 2 * usualBytesPerPixel > limits.maxBytes;
  return {
    // JPEG can't hold transparency. A GIF's few colours are kept exactly.
    format: isClear ? (source.format === "gif" ? "png" : "webp") : "jpeg",
    q: isDetailed && mayPass ? quality.detailed : quality.usual,
    scale,
  };
}

function nextAttempt(attempt: Attempt, over: number, encodes: number): Attempt {
  if (attempt.format === "png") return { ...attempt, format: "webp" };
  return { ...attempt, ...lower(attempt, over, encodes) };
}

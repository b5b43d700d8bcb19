import type { Sharp as Pipeline, SharpOptions } from "sharp";
import type { Cutout, Plane } from "./cutout.ts";
import { flattenOnto } from "./flatten.ts";
import { embedProfile } from "./icc.ts";
import { damaged } from "./refusal.ts";
import { loadSharp, type Sharp, untrusted } from "./sharp.ts";
import type { OutputFormat } from "./types.ts";

/** One way to write a cut-out. */
export interface Attempt {
  readonly format: OutputFormat;
  /** 1 to 100; PNG has none. */
  readonly quality: number;
  /** 1 is full size. */
  readonly scale: number;
}

export interface Encoded {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

// The two settings that decide: alphaQuality above 91 doubles the cost and 90 errs by at most 1 of 255; effort 0
// and 1 fail on large detailed pictures, 4 (sharp's default) takes three times as long.
const webp = { effort: 2, alphaQuality: 90 } as const;
// `effort` must never be set here: it turns the picture into 256 colours.
const png = { compressionLevel: 2, adaptiveFiltering: true } as const;
const jpg = { chromaSubsampling: "4:2:0", optimiseCoding: false } as const;

/** Writes a cut-out; `background` is used by `jpg` alone. */
export async function encode(
  cutout: Cutout,
  attempt: Attempt,
  background: string,
): Promise<Encoded> {
  const sharp = await loadSharp();
  if (attempt.format === "jpg") return encodeJpg(sharp, cutout, attempt, background);
  if (attempt.scale < 1) return encodeSmaller(sharp, cutout, attempt);
  const pipeline = (await masked(sharp, cutout)).keepIccProfile();
  const { width, height } = cutout;
  return { bytes: await write(pipeline, attempt), width, height };
}

function write(pipeline: Pipeline, { format, quality }: Attempt): Promise<Buffer> {
  const written = format === "png" ? pipeline.png(png) : pipeline.webp({ quality, ...webp });
  return written.toBuffer();
}

/** Joining and flattening in one pipeline gives black without a word, so the samples are laid onto the colour here. */
async function encodeJpg(sharp: Sharp, cutout: Cutout, attempt: Attempt, background: string) {
  const size = scaled(cutout, attempt.scale);
  const { color, alpha, profile, isStandard } = cutout;
  const options = { ...rawOf(color), ...untrusted, ignoreIcc: isStandard };
  const rgb = await samples(sharp(color.data, options), 3);
  const opacity = await oneChannel(
    sharp(alpha.data, { ...rawOf(alpha), ...untrusted, ignoreIcc: true }),
  );
  flattenOnto(rgb, opacity, channelsOf(background));
  const pipeline = sharp(rgb, { raw: { ...rawSize(cutout), channels: 3 } });
  if (attempt.scale < 1) pipeline.resize(size.width, size.height, { fit: "fill" });
  const bytes = await pipeline.jpeg({ quality: attempt.quality, ...jpg }).toBuffer();
  return { bytes: profile && isStandard ? embedProfile(bytes, profile) : bytes, ...size };
}

function channelsOf(background: string): readonly [number, number, number] {
  const value = Number.parseInt(background.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Colours and alpha have to shrink together, with straight alpha weighed in, so both are joined first. */
async function encodeSmaller(sharp: Sharp, cutout: Cutout, attempt: Attempt): Promise<Encoded> {
  const size = scaled(cutout, attempt.scale);
  const raw = { ...rawSize(cutout), channels: 4 } as const;
  const pipeline = sharp(await samples(await masked(sharp, cutout), 4), { raw }).resize(
    size.width,
    size.height,
    { fit: "fill" },
  );
  if (cutout.profile) pipeline.withIccProfile("srgb");
  return { bytes: await write(pipeline, attempt), ...size };
}

/** Straight RGBA in sRGB; what lies under alpha 0 is still there. */
function joined(sharp: Sharp, { color, isStandard }: Cutout, alpha: Plane): Pipeline {
  // An sRGB profile changes no pixel and makes decoding 2.5 times dearer.
  const options = { ...rawOf(color), ...untrusted, ignoreIcc: isStandard };
  return sharp(color.data, options).joinChannel(alpha.data, rawOf(alpha));
}

/** The removed background is still in the service's colours: it is cleared wherever alpha is 0. */
async function masked(sharp: Sharp, cutout: Cutout): Promise<Pipeline> {
  const raw = { ...rawSize(cutout), channels: 1 } as const;
  const { alpha } = cutout;
  // Decoded once for both uses. Naming the colour space keeps one channel one channel, values untouched.
  const data = await oneChannel(
    sharp(alpha.data, { ...rawOf(alpha), ...untrusted, ignoreIcc: true }),
  );
  const mask = await oneChannel(sharp(data, { raw }).threshold(1));
  return joined(sharp, cutout, { data, raw }).boolean(mask, "and", { raw });
}

function oneChannel(pipeline: Pipeline): Promise<Buffer> {
  return pipeline.toColourspace("b-w").raw().toBuffer();
}

async function samples(pipeline: Pipeline, channels: 3 | 4): Promise<Buffer> {
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  if (info.channels === channels) return data;
  throw damaged(`its pictures make ${info.channels} channels where ${channels} belong`);
}

function rawOf({ raw }: Plane): Pick<SharpOptions, "raw"> {
  return raw ? { raw } : {};
}

function rawSize({ width, height }: Cutout) {
  return { width, height };
}

function scaled({ width, height }: Cutout, scale: number) {
  if (scale >= 1) return { width, height };
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
}

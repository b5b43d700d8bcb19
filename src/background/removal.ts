import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import { isRecord, jsonOf } from "./json.ts";
import { readPictureKind } from "./picture.ts";
import type { RateLimit, Removal } from "./types.ts";

type Headers = HttpResponse["headers"];
type Box = NonNullable<Removal["foreground"]>;

/** The most reliable sign of what came back. */
const formats: Readonly<Record<string, Removal["format"]>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/jpg": "jpg",
  "image/webp": "webp",
  "application/zip": "zip",
};

/** For what does not name its format: a JSON answer, or one that something on the way made nameless. */
function formatOfBytes(image: Uint8Array): Removal["format"] | undefined {
  const isZip = Buffer.from(image.subarray(0, 4)).toString("latin1") === "PK\x03\x04";
  return isZip ? "zip" : readPictureKind(image)?.extension;
}

/** A larger picture may come back smaller, and with a box in the pixels that it had before (facts, conflicts). */
const largestMegapixels = 25;

/**
 * Reads a success, to a picture of so many megapixels where that is known.
 * @throws ServiceError `unreadable_answer`, of a picture that may have been charged.
 */
export function removalOf(
  { headers, body }: HttpResponse,
  megapixels = 0,
): Omit<Removal, "notices"> {
  const { image, format, foreground } = pictureOf(headers, body);
  const width = countOf(headers["x-width"]);
  const height = countOf(headers["x-height"]);
  const isSmaller = (width ?? 0) * (height ?? 0) < Math.round(megapixels * 1e6);
  const isDoubtful = isSmaller && megapixels > largestMegapixels;
  return {
    image,
    format,
    width,
    height,
    foreground: isDoubtful ? undefined : inside(foreground, width, height),
    type: headers["x-type"],
    creditsCharged: amountOf(headers["x-credits-charged"]),
    rateLimit: rateLimitOf(headers),
  };
}

/** What an answer says about the rate; errors and the account say nothing. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const limit = amountOf(headers["x-ratelimit-limit"]);
  const remaining = amountOf(headers["x-ratelimit-remaining"]);
  const reset = amountOf(headers["x-ratelimit-reset"]); // Unix seconds
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1_000) };
}

interface Picture {
  readonly image: Buffer;
  readonly format: Removal["format"];
  readonly foreground: Box | undefined;
}

function pictureOf(headers: Headers, body: Buffer): Picture {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") return pictureOfJson(headers, body);
  // What was paid for is not thrown away for want of a name.
  const format = Object.hasOwn(formats, type) ? formats[type] : formatOfBytes(body);
  if (format === undefined || body.byteLength === 0) throw unreadable(type);
  return { image: body, format, foreground: boxOfHeaders(headers) };
}

function pictureOfJson(headers: Headers, body: Buffer): Picture {
  const answer = jsonOf(body);
  const data = isRecord(answer) && isRecord(answer.data) ? answer.data : {};
  const image = Buffer.from(typeof data.result_b64 === "string" ? data.result_b64 : "", "base64");
  const format = formatOfBytes(image);
  if (format === undefined) throw unreadable("application/json");
  return { image, format, foreground: boxOfJson(data) ?? boxOfHeaders(headers) };
}

function boxOfHeaders(headers: Headers): Box | undefined {
  return boxOf((side) => countOf(headers[`x-foreground-${side}`]));
}

function boxOfJson(data: Readonly<Record<string, unknown>>): Box | undefined {
  return boxOf((side) => {
    const value = data[`foreground_${side}`];
    return typeof value === "number" ? value : undefined;
  });
}

function boxOf(read: (side: keyof Box) => number | undefined): Box | undefined {
  const [top, left, width, height] = (["top", "left", "width", "height"] as const).map(read);
  if (top === undefined || left === undefined) return undefined;
  return width === undefined || height === undefined ? undefined : { top, left, width, height };
}

/** Something outside the result, and nothing at all, is of no use. */
function inside(box: Box | undefined, width = Infinity, height = Infinity): Box | undefined {
  if (box === undefined || !Object.values(box).every((n) => Number.isInteger(n) && n >= 0)) {
    return undefined;
  }
  const isWithin = box.left + box.width <= width && box.top + box.height <= height;
  return isWithin && box.width > 0 && box.height > 0 ? box : undefined;
}

function countOf(header: string | undefined): number | undefined {
  const value = amountOf(header);
  return value !== undefined && Number.isInteger(value) ? value : undefined;
}

/** Absent is not zero, and what is no decimal number is absent. */
function amountOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\s*\d{1,12}(?:\.\d{1,12})?\s*$/.test(header)
    ? Number(header)
    : undefined;
}

function unreadable(type: string): ServiceError {
  return new ServiceError("removebg answered something that is no picture", {
    code: "unreadable_answer",
    outcome: "unknown",
    facts: { service: "background", type: type.slice(0, 80) },
  });
}

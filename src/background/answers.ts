import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import { readPictureHead } from "../images/index.ts";
import type { CreditAccount, ImproveResult, RateLimit, Removal } from "./types.ts";

type AnswerHeaders = HttpResponse["headers"];
type ForegroundBox = NonNullable<Removal["foreground"]>;

/** By Content-Type, for bytes that say nothing. Whoever decodes them finds out that they are damaged. */
const formats: Readonly<Record<string, Removal["format"]>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/jpg": "jpg",
  "image/webp": "webp",
  "application/zip": "zip",
};

/** The bytes are right where a Content-Type is wrong. */
function formatOfBytes(image: Uint8Array): Removal["format"] | undefined {
  const isZip = Buffer.from(image.subarray(0, 4)).toString("latin1") === "PK\x03\x04";
  return isZip ? "zip" : readPictureHead(image)?.extension;
}

/** Above this, a box may be in pixels of the original: docs/services/removebg.md#foreground-position */
const maxExactMegapixels = 25;

/**
 * Reads a successful cut-out. `megapixels` is the size of the input, where it is known.
 * @throws ServiceError `unreadable_answer`; the picture may have been charged.
 */
export function removalOf(
  { headers, body }: HttpResponse,
  megapixels = 0,
): Omit<Removal, "notices"> {
  const { image, format, foreground } = pictureOf(headers, body);
  const width = wholeNumberIn(headers["x-width"]);
  const height = wholeNumberIn(headers["x-height"]);
  const isSmaller = (width ?? 0) * (height ?? 0) < Math.round(megapixels * 1e6);
  const isDoubtful = isSmaller && megapixels > maxExactMegapixels;
  return {
    image,
    format,
    width,
    height,
    foreground: isDoubtful ? undefined : boxInside(foreground, width, height),
    type: headers["x-type"],
    creditsCharged: numberIn(headers["x-credits-charged"]),
    rateLimit: rateLimitOf(headers),
  };
}

/** What an answer says about the rate limit; errors and the account say nothing. */
export function rateLimitOf(headers: AnswerHeaders): RateLimit | undefined {
  const limit = numberIn(headers["x-ratelimit-limit"]);
  const remaining = numberIn(headers["x-ratelimit-remaining"]);
  const reset = numberIn(headers["x-ratelimit-reset"]); // Unix seconds
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1_000) };
}

interface AnsweredPicture {
  readonly image: Buffer;
  readonly format: Removal["format"];
  readonly foreground: ForegroundBox | undefined;
}

function pictureOf(headers: AnswerHeaders, body: Buffer): AnsweredPicture {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const shown = formatOfBytes(body);
  if (type === "application/json" && shown === undefined) return pictureOfJson(headers, body);
  const format = shown ?? (Object.hasOwn(formats, type) ? formats[type] : undefined);
  if (format === undefined || body.byteLength === 0) throw unreadableAnswerError(type);
  return { image: body, format, foreground: boxOfHeaders(headers) };
}

function pictureOfJson(headers: AnswerHeaders, body: Buffer): AnsweredPicture {
  const answer = parseBackgroundBody(body);
  const data = isJsonObject(answer) && isJsonObject(answer.data) ? answer.data : {};
  const image = Buffer.from(typeof data.result_b64 === "string" ? data.result_b64 : "", "base64");
  const format = formatOfBytes(image);
  if (format === undefined) throw unreadableAnswerError("application/json");
  return { image, format, foreground: boxOfJson(data) ?? boxOfHeaders(headers) };
}

function boxOfHeaders(headers: AnswerHeaders): ForegroundBox | undefined {
  return boxOf((side) => wholeNumberIn(headers[`x-foreground-${side}`]));
}

function boxOfJson(data: Readonly<Record<string, unknown>>): ForegroundBox | undefined {
  return boxOf((side) => {
    const value = data[`foreground_${side}`];
    return typeof value === "number" ? value : undefined;
  });
}

function boxOf(read: (side: keyof ForegroundBox) => number | undefined): ForegroundBox | undefined {
  const [top, left, width, height] = (["top", "left", "width", "height"] as const).map(read);
  if (top === undefined || left === undefined) return undefined;
  return width === undefined || height === undefined ? undefined : { top, left, width, height };
}

/** Undefined for an empty box or one outside the result. */
function boxInside(
  box: ForegroundBox | undefined,
  width = Infinity,
  height = Infinity,
): ForegroundBox | undefined {
  if (box === undefined || !Object.values(box).every((n) => Number.isInteger(n) && n >= 0)) {
    return undefined;
  }
  const isWithin = box.left + box.width <= width && box.top + box.height <= height;
  return isWithin && box.width > 0 && box.height > 0 ? box : undefined;
}

function wholeNumberIn(header: string | undefined): number | undefined {
  const value = numberIn(header);
  return value !== undefined && Number.isInteger(value) ? value : undefined;
}

/** A header that is no decimal number counts as absent, which is not zero. */
function numberIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\s*\d{1,12}(?:\.\d{1,12})?\s*$/.test(header)
    ? Number(header)
    : undefined;
}

function unreadableAnswerError(type: string): ServiceError {
  return new ServiceError("removebg answered something that is no picture", {
    code: "unreadable_answer",
    outcome: "unknown",
    facts: { service: "background", type: type.slice(0, 80) },
  });
}

/** Reads the balance; a missing credit field counts as zero. @throws ServiceError `unreadable_answer` */
export function accountOf({ body }: HttpResponse): CreditAccount {
  const attributes = recordIn(recordIn(parseBackgroundBody(body), "data"), "attributes");
  const credits = recordIn(attributes, "credits");
  if (typeof credits.total !== "number") throw noBalance();
  return {
    credits: {
      total: credits.total,
      subscription: creditsIn(credits.subscription),
      payg: creditsIn(credits.payg),
      enterprise: creditsIn(credits.enterprise),
    },
    api: { freeCalls: creditsIn(recordIn(attributes, "api").free_calls) },
  };
}

function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const inner = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(inner) ? inner : {};
}

function creditsIn(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function noBalance(): ServiceError {
  return new ServiceError("account answered something without a balance", {
    code: "unreadable_answer",
    facts: { service: "background" },
  });
}

/** @throws ServiceError `unreadable_answer`; the service may have taken the picture nevertheless. */
export function improvementOf({ body }: HttpResponse): ImproveResult {
  const answer = parseBackgroundBody(body);
  if (isJsonObject(answer) && typeof answer.id === "string" && answer.id !== "") {
    return { id: answer.id };
  }
  throw new ServiceError("improve answered something without an id", {
    code: "unreadable_answer",
    outcome: "unknown",
    facts: { service: "background", step: "improve" },
  });
}

/** The body parsed as JSON; undefined when it is not JSON. */
export function parseBackgroundBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

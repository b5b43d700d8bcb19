import { z } from "zod";
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
function readFormat(image: Uint8Array): Removal["format"] | undefined {
  const isZip = Buffer.from(image.subarray(0, 4)).toString("latin1") === "PK\x03\x04";
  return isZip ? "zip" : readPictureHead(image)?.extension;
}

/** Above this, a box may be in pixels of the original: docs/services/removebg.md#foreground-position */
const maxExactMegapixels = 25;

/** A header that is no decimal number counts as absent, which is not zero. */
const decimal = z
  .string()
  .regex(/^\s*\d{1,12}(?:\.\d{1,12})?\s*$/)
  .transform(Number);
const pixels = z.union([z.number(), decimal]).pipe(z.int().min(0));

const resultHeaders = z.object({
  "x-width": pixels.optional().catch(undefined),
  "x-height": pixels.optional().catch(undefined),
  "x-type": z.string().optional(),
  "x-credits-charged": decimal.optional().catch(undefined),
});

const rateHeaders = z.object({
  "x-ratelimit-limit": decimal,
  "x-ratelimit-remaining": decimal,
  /** Unix seconds. */
  "x-ratelimit-reset": decimal,
});

const foregroundBox = z.object({ top: pixels, left: pixels, width: pixels, height: pixels });

const jsonResult = z.object({ data: z.looseObject({ result_b64: z.string() }) });

/** What is missing counts as zero, except for the sum. */
const credits = z.number().catch(0);
const accountBody = z.object({
  data: z.object({
    attributes: z.object({
      credits: z.object({
        total: z.number(),
        subscription: credits,
        payg: credits,
        enterprise: credits,
      }),
      api: z.object({ free_calls: credits }).catch({ free_calls: 0 }),
    }),
  }),
});

const improvementBody = z.object({ id: z.string().min(1) });

/**
 * Reads a successful cut-out. `megapixels` is the size of the input, where it is known.
 * @throws ServiceError `unreadable_answer`; the picture may have been charged.
 */
export function readRemoval(
  { headers, body }: HttpResponse,
  megapixels = 0,
): Omit<Removal, "notices"> {
  const { image, format, foreground } = readPicture(headers, body);
  const stated = resultHeaders.parse(headers);
  const { "x-width": width, "x-height": height } = stated;
  const isSmaller = (width ?? 0) * (height ?? 0) < Math.round(megapixels * 1e6);
  const isDoubtful = isSmaller && megapixels > maxExactMegapixels;
  return {
    image,
    format,
    width,
    height,
    foreground: isDoubtful ? undefined : boxInside(foreground, width, height),
    type: stated["x-type"],
    creditsCharged: stated["x-credits-charged"],
    rateLimit: readRateLimit(headers),
  };
}

/** What an answer says about the rate limit; errors and the account say nothing. */
export function readRateLimit(headers: AnswerHeaders): RateLimit | undefined {
  const { data } = rateHeaders.safeParse(headers);
  return (
    data && {
      limit: data["x-ratelimit-limit"],
      remaining: data["x-ratelimit-remaining"],
      resetAt: new Date(data["x-ratelimit-reset"] * 1_000),
    }
  );
}

function readPicture(
  headers: AnswerHeaders,
  body: Buffer,
): Pick<Removal, "image" | "format" | "foreground"> {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const shown = readFormat(body);
  const isJson = type === "application/json" && shown === undefined;
  const data = isJson ? jsonResult.safeParse(parseBackgroundBody(body)).data?.data : undefined;
  const image = isJson ? Buffer.from(data?.result_b64 ?? "", "base64") : body;
  const named = Object.hasOwn(formats, type) ? formats[type] : undefined;
  const format = isJson ? readFormat(image) : (shown ?? named);
  if (format === undefined || image.byteLength === 0) {
    const facts = { type: type.slice(0, 80) };
    throw unreadable("removebg answered something that is no picture", "unknown", facts);
  }
  const foreground = readBox(data ?? {}, "foreground_") ?? readBox(headers, "x-foreground-");
  return { image, format, foreground };
}

function readBox(
  fields: Readonly<Record<string, unknown>>,
  prefix: string,
): ForegroundBox | undefined {
  const sides = Object.keys(foregroundBox.shape).map((side) => [side, fields[`${prefix}${side}`]]);
  return foregroundBox.safeParse(Object.fromEntries(sides)).data;
}

/** Undefined for an empty box or one outside the result. */
function boxInside(
  box: ForegroundBox | undefined,
  width = Infinity,
  height = Infinity,
): ForegroundBox | undefined {
  if (box === undefined) return undefined;
  const isWithin = box.left + box.width <= width && box.top + box.height <= height;
  return isWithin && box.width > 0 && box.height > 0 ? box : undefined;
}

/** Reads the balance. @throws ServiceError `unreadable_answer` */
export function readAccountAnswer({ body }: HttpResponse): CreditAccount {
  const { data } = accountBody.safeParse(parseBackgroundBody(body));
  if (!data) throw unreadable("account answered something without a balance", "nothing");
  const { credits: balance, api } = data.data.attributes;
  return { credits: balance, api: { freeCalls: api.free_calls } };
}

/** @throws ServiceError `unreadable_answer`; remove.bg may have taken the picture nevertheless. */
export function readImprovement({ body }: HttpResponse): ImproveResult {
  const { data } = improvementBody.safeParse(parseBackgroundBody(body));
  if (data) return data;
  throw unreadable("improve answered something without an id", "unknown", { step: "improve" });
}

function unreadable(message: string, outcome: "nothing" | "unknown", facts = {}): ServiceError {
  return new ServiceError(message, {
    code: "unreadable_answer",
    outcome,
    facts: { service: "background", ...facts },
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

import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import type { RateLimit, Removal } from "./types.ts";

type Headers = HttpResponse["headers"];

/** The only reliable sign of what came back. */
const formats: Readonly<Record<string, Removal["format"]>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/jpg": "jpg",
  "image/webp": "webp",
  "application/zip": "zip",
};

/** Reads a success. @throws ServiceError `unreadable_answer`, of a picture that may have been charged. */
export function removalOf({ headers, body }: HttpResponse): Removal {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const format = formats[type];
  if (format === undefined || body.byteLength === 0) throw unreadable(type);
  return {
    image: body,
    format,
    width: numberOf(headers["x-width"]),
    height: numberOf(headers["x-height"]),
    notices: [],
    foreground: foregroundOf(headers),
    type: headers["x-type"],
    creditsCharged: numberOf(headers["x-credits-charged"]),
    rateLimit: rateLimitOf(headers),
  };
}

/** What an answer says about the rate; errors and the account say nothing. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const limit = numberOf(headers["x-ratelimit-limit"]);
  const remaining = numberOf(headers["x-ratelimit-remaining"]);
  const reset = numberOf(headers["x-ratelimit-reset"]); // Unix seconds
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1_000) };
}

function foregroundOf(headers: Headers): Removal["foreground"] {
  const top = numberOf(headers["x-foreground-top"]);
  const left = numberOf(headers["x-foreground-left"]);
  const width = numberOf(headers["x-foreground-width"]);
  const height = numberOf(headers["x-foreground-height"]);
  if (top === undefined || left === undefined) return undefined;
  if (width === undefined || height === undefined) return undefined;
  return { top, left, width, height };
}

function numberOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const value = Number(header);
  return Number.isFinite(value) ? value : undefined;
}

function unreadable(type: string): ServiceError {
  return new ServiceError("removebg answered something that is no picture", {
    code: "unreadable_answer",
    hint: "The image service answered without a picture. Up to one credit may have been used.",
    outcome: "unknown",
    facts: { service: "background", type: type.slice(0, 80) },
  });
}

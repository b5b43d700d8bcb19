import { Readable } from "node:stream";
import { InputError } from "../../errors.ts";
import { describeValue } from "../check/parameter-errors.ts";
import type { MediaSpec } from "../methods/spec.ts";
import type { UploadMedia } from "../types.ts";

export type UploadSpec = Extract<MediaSpec, { readonly direction: "up" }>;

/** Media that may be sent: its length is known and its type is accepted. */
export interface CheckedMedia {
  readonly data: UploadMedia["data"];
  readonly type: string;
  readonly bytes: number;
}

const essenceShape = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/;
/** Type and parameters without characters that could break a header or a part of a body. */
const typeShape = /^[\x20-\x7e]*$/;

/**
 * Checks media against the table before anything is sent.
 * @throws InputError `invalid_parameter`, `upload_type_unsupported`, `upload_length_unknown`,
 * `upload_length_mismatch`, `upload_empty` or `upload_too_large`
 */
export function checkMedia(method: string, spec: UploadSpec, media: unknown): CheckedMedia {
  const { data, type, bytes: declared } = (media ?? {}) as Partial<UploadMedia>; // each field is checked below
  if (!isSource(data)) {
    const allowed = "bytes, a stream or a Blob";
    throw mediaError(method, "invalid_parameter", { was: describeValue(data), allowed });
  }
  if (typeof type !== "string" || !isAccepted(spec.accept, type)) {
    const allowed = spec.accept.join(", ");
    throw mediaError(method, "upload_type_unsupported", { was: describeValue(type), allowed });
  }
  const bytes = mediaLength(method, data, declared);
  if (bytes === 0) throw mediaError(method, "upload_empty");
  if (bytes > spec.maxBytes) {
    const { maxBytes } = spec;
    const [was, allowed] = [`${bytes} bytes`, `at most ${maxBytes} bytes`];
    throw new InputError(`${method}: ${was}, ${allowed} can be sent`, {
      code: "upload_too_large",
      facts: { method, parameter: "media", was, allowed, maxBytes },
    });
  }
  return { data, type, bytes };
}

function mediaLength(method: string, data: UploadMedia["data"], declared: unknown): number {
  const known = data instanceof Uint8Array ? data.byteLength : data instanceof Blob && data.size;
  if (known === false) {
    if (Number.isSafeInteger(declared) && Number(declared) >= 0) return Number(declared);
    const allowed = "a whole number of bytes";
    throw mediaError(method, "upload_length_unknown", { was: describeValue(declared), allowed });
  }
  if (declared === undefined || declared === known) return known;
  const was = describeValue(declared);
  throw mediaError(method, "upload_length_mismatch", { was, allowed: `${known}` });
}

function isSource(data: unknown): data is UploadMedia["data"] {
  return data instanceof Uint8Array || data instanceof Blob || data instanceof Readable;
}

function isAccepted(accept: readonly string[], type: string): boolean {
  const essence = essenceShape.exec(type)?.[0]?.toLowerCase();
  if (essence === undefined || !typeShape.test(type)) return false;
  return accept.some((pattern) => {
    if (pattern === "*/*" || pattern === essence) return true;
    return pattern.endsWith("/*") && essence.startsWith(pattern.slice(0, -1));
  });
}

interface MediaErrorOptions {
  readonly was?: string;
  readonly allowed?: string;
  readonly cause?: unknown;
}

export function mediaError(
  method: string,
  code: string,
  { cause, ...details }: MediaErrorOptions = {},
): InputError {
  return new InputError(`${method}: ${code}`, {
    code,
    facts: { method, parameter: "media", ...details },
    cause,
  });
}

import { Readable } from "node:stream";
import { InputError } from "../../errors.ts";
import { shown } from "../check/fault.ts";
import type { MediaSpec } from "../methods/spec.ts";
import type { Media } from "../types.ts";

export type UploadSpec = Extract<MediaSpec, { readonly direction: "up" }>;

/** Media that may leave: its length is known and its type is taken. */
export interface CheckedMedia {
  readonly data: Media["data"];
  readonly type: string;
  readonly bytes: number;
}

const essenceShape = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/;
/** With parameters that neither a header nor a part of a body can be broken with. */
const typeShape = /^[\x20-\x7e]*$/;

/**
 * Holds media against the row before anything is sent.
 * @throws InputError `invalid_parameter`, `upload_type_unsupported`, `upload_length_unknown`,
 * `upload_length_mismatch`, `upload_empty` or `upload_too_large`
 */
export function checkMedia(method: string, spec: UploadSpec, media: unknown): CheckedMedia {
  const { data, type, bytes: declared } = (media ?? {}) as Partial<Media>; // each field is looked at below
  if (!isSource(data)) {
    const allowed = "bytes, a stream or a Blob";
    const was = shown(data);
    const hint = `Give the file as ${allowed}. It was ${was}.`;
    throw refused(method, "invalid_parameter", { hint, was, allowed });
  }
  if (typeof type !== "string" || !isAccepted(spec.accept, type)) {
    const allowed = spec.accept.join(", ");
    const was = shown(type);
    const hint = `The file must be one of: ${allowed}. It was ${was}.`;
    throw refused(method, "upload_type_unsupported", { hint, was, allowed });
  }
  const bytes = lengthOf(method, data, declared);
  if (bytes === 0) {
    throw refused(method, "upload_empty", { hint: "The file is empty. Choose another one." });
  }
  if (bytes > spec.maxBytes) throw tooLarge(method, bytes, spec.maxBytes);
  return { data, type, bytes };
}

function lengthOf(method: string, data: Media["data"], declared: unknown): number {
  const known = data instanceof Uint8Array ? data.byteLength : data instanceof Blob && data.size;
  if (known === false) {
    if (Number.isSafeInteger(declared) && Number(declared) >= 0) return Number(declared);
    const hint = "The length of the file must be known before it is sent.";
    const allowed = "a whole number of bytes";
    throw refused(method, "upload_length_unknown", { hint, was: shown(declared), allowed });
  }
  if (declared === undefined || declared === known) return known;
  throw lengthMismatch(method, { was: shown(declared), allowed: `${known}` });
}

function isSource(data: unknown): data is Media["data"] {
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

/** What was declared is not what there is: nothing whole would arrive. */
export function lengthMismatch(
  method: string,
  told?: Pick<Refusal, "was" | "allowed">,
): InputError {
  const hint = "The file is not as long as was said. It may have changed meanwhile; try again.";
  return refused(method, "upload_length_mismatch", { hint, ...told });
}

/** It broke off while it was read. */
export function sourceFailed(method: string, cause: unknown): InputError {
  const hint = "The file could not be read to its end. Try again with the whole file.";
  return refused(method, "upload_source_failed", { hint, cause });
}

function tooLarge(method: string, bytes: number, maxBytes: number): InputError {
  const megabytes = Math.round(maxBytes / 1e5) / 10;
  return new InputError(`${method}: ${bytes} bytes are over ${maxBytes}`, {
    code: "upload_too_large",
    hint: `The file is too large: at most ${megabytes} MB. Choose a smaller one.`,
    facts: {
      method,
      parameter: "media",
      was: `${bytes} bytes`,
      allowed: `at most ${maxBytes} bytes`,
      maxBytes,
    },
  });
}

interface Refusal {
  readonly hint: string;
  readonly was?: string;
  readonly allowed?: string;
  readonly cause?: unknown;
}

function refused(method: string, code: string, { hint, cause, ...told }: Refusal): InputError {
  return new InputError(`${method}: ${code}`, {
    code,
    hint,
    facts: { method, parameter: "media", ...told },
    cause,
  });
}

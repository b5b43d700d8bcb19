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
    throw refused(method, "invalid_parameter", { was: shown(data), allowed });
  }
  if (typeof type !== "string" || !isAccepted(spec.accept, type)) {
    const allowed = spec.accept.join(", ");
    throw refused(method, "upload_type_unsupported", { was: shown(type), allowed });
  }
  const bytes = lengthOf(method, data, declared);
  if (bytes === 0) throw refused(method, "upload_empty");
  if (bytes > spec.maxBytes) throw tooLarge(method, bytes, spec.maxBytes);
  return { data, type, bytes };
}

function lengthOf(method: string, data: Media["data"], declared: unknown): number {
  const known = data instanceof Uint8Array ? data.byteLength : data instanceof Blob && data.size;
  if (known === false) {
    if (Number.isSafeInteger(declared) && Number(declared) >= 0) return Number(declared);
    const allowed = "a whole number of bytes";
    throw refused(method, "upload_length_unknown", { was: shown(declared), allowed });
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
  return refused(method, "upload_length_mismatch", told);
}

/** It broke off while it was read. */
export function sourceFailed(method: string, cause: unknown): InputError {
  return refused(method, "upload_source_failed", { cause });
}

function tooLarge(method: string, bytes: number, maxBytes: number): InputError {
  return new InputError(`${method}: ${bytes} bytes are over ${maxBytes}`, {
    code: "upload_too_large",
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
  readonly was?: string;
  readonly allowed?: string;
  readonly cause?: unknown;
}

function refused(method: string, code: string, { cause, ...told }: Refusal = {}): InputError {
  return new InputError(`${method}: ${code}`, {
    code,
    facts: { method, parameter: "media", ...told },
    cause,
  });
}

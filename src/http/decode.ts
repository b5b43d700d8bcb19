import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type Answer, AttemptError } from "./send.ts";

const codings = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/**
 * Unpacks an answer. None is asked for packed, but whoever is not told otherwise may pack it:
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 * @throws AttemptError `too-large` before more is unpacked than was asked for, or `broken`
 */
export async function decode(answer: Answer, maxBytes: number): Promise<Answer> {
  const { "content-encoding": coding = "", ...headers } = answer.headers;
  const unpack = codingOf(coding);
  if (unpack === undefined || answer.body.byteLength === 0) return answer;
  try {
    return { ...answer, headers, body: await unpack(answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    throw new AttemptError(isTooLarge(error) ? "too-large" : "broken", true, error);
  }
}

function codingOf(name: string) {
  const coding = name.trim().toLowerCase();
  return Object.hasOwn(codings, coding) ? codings[coding as keyof typeof codings] : undefined;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

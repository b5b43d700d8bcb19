import { ApiError } from "../api-error.ts";

interface BodyPart {
  /** As the part declares it. */
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

/**
 * The parts of a `multipart/*` body. Forgives what clients get wrong without loss: bare newlines, a preamble, an epilogue,
 * spaces after a delimiter.
 * @throws ApiError when the closing delimiter never came.
 */
export function parseMultipart(body: Buffer, contentType: string): readonly BodyPart[] {
  const found = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) {
    const message = "The multipart body has no boundary.";
    throw new ApiError(400, { reason: "badContent", message });
  }
  const delimiter = Buffer.from(`\n--${boundary}`);
  // The first delimiter may be the very first thing.
  const whole = Buffer.concat([Buffer.from("\n"), body]);
  const parts: BodyPart[] = [];
  let start = whole.indexOf(delimiter);
  while (start !== -1) {
    const after = start + delimiter.length;
    if (whole.toString("latin1", after, after + 2) === "--") return parts;
    const next = whole.indexOf(delimiter, after);
    if (next === -1) break;
    parts.push(parsePart(whole.subarray(after, next + 1)));
    start = next;
  }
  const message = "The multipart body ends before its closing delimiter.";
  throw new ApiError(400, { reason: "parseError", message });
}

/** From the end of one delimiter to the newline before the next. */
function parsePart(part: Buffer): BodyPart {
  let type: string | undefined;
  // The rest of the delimiter's line, then the headers, then an empty line.
  let at = part.indexOf("\n") + 1;
  for (let line = "-"; line !== ""; ) {
    const end = part.indexOf("\n", at);
    line = end === -1 ? "" : part.toString("latin1", at, end).trimEnd();
    type = /^content-type:(.+)$/i.exec(line)?.[1]?.trim() || type;
    at = end === -1 ? part.length : end + 1;
  }
  const end = part.length - (part.at(-2) === carriageReturn ? 2 : 1);
  return { type, bytes: part.subarray(at, Math.max(at, end)) };
}

const carriageReturn = 0x0d;

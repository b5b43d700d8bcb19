import { Refusal } from "../refusal.ts";

/** Where the bytes of one part go. */
export interface PartSink {
  write(chunk: Uint8Array): void;
}

export interface MultipartOptions {
  readonly boundary: string;
  /** Says where a part goes, by its number from 0 and its declared type. */
  readonly onPart: (index: number, type: string | undefined) => PartSink;
}

export interface MultipartReader {
  write(chunk: Uint8Array): void;
  /** Throws when the closing delimiter never came. */
  end(): void;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads a `multipart/*` body as it comes, holding back no more than a delimiter. Forgives what clients get wrong
 * without loss: bare newlines, a preamble, an epilogue, spaces after a delimiter.
 */
export function createMultipartReader({ boundary, onPart }: MultipartOptions): MultipartReader {
  const delimiter = Buffer.from(`\n--${boundary}`);
  // The first delimiter may be the very first thing.
  let held: Buffer = Buffer.from("\n");
  let state: "body" | "delimiter" | "headers" | "done" = "body";
  let part: PartSink | undefined;
  let count = 0;
  let type: string | undefined;

  function readBody(): boolean {
    const at = held.indexOf(delimiter);
    if (at === -1) {
      pass(Math.max(0, held.length - delimiter.length - 1));
      return false;
    }
    pass(at > 0 && held[at - 1] === carriageReturn ? at - 1 : at);
    held = held.subarray(held.indexOf(delimiter) + delimiter.length);
    state = "delimiter";
    return true;
  }

  function pass(length: number): void {
    if (length > 0) part?.write(held.subarray(0, length));
    held = held.subarray(length);
  }

  function readLine(): string | undefined {
    const end = held.indexOf(newline);
    if (end === -1) return undefined;
    const line = held.toString("latin1", 0, end).trimEnd();
    held = held.subarray(end + 1);
    return line;
  }

  function readDelimiter(): boolean {
    if (held.length >= 2 && held.toString("latin1", 0, 2) === "--") {
      state = "done";
      return true;
    }
    if (readLine() === undefined) return false;
    state = "headers";
    type = undefined;
    return true;
  }

  function readHeader(): boolean {
    const line = readLine();
    if (line === undefined) return false;
    if (line !== "") {
      type = /^content-type:(.+)$/i.exec(line)?.[1]?.trim() || type;
      return true;
    }
    part = onPart(count, type);
    count += 1;
    // An empty part's delimiter follows the blank line at once.
    held = Buffer.concat([Buffer.from("\n"), held]);
    part = withoutFirst(part);
    state = "body";
    return true;
  }

  const steps = {
    body: readBody,
    delimiter: readDelimiter,
    headers: readHeader,
    done: () => false,
  } as const;

  return {
    write(chunk) {
      if (state === "done") return;
      held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      while (steps[state]());
    },
    end() {
      if (state === "done") return;
      const message = "The multipart body ends before its closing delimiter.";
      throw new Refusal(400, { reason: "parseError", message });
    },
  };
}

/** Drops the newline that was put in front so that a delimiter could be found there. */
function withoutFirst(sink: PartSink): PartSink {
  let dropped = false;
  return {
    write(chunk) {
      sink.write(dropped ? chunk : chunk.subarray(1));
      dropped = true;
    },
  };
}

/** Of a Content-Type header, quoted or not. */
export function readBoundary(contentType: string): string {
  const found = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary !== undefined) return boundary;
  const message = "The multipart body has no boundary.";
  throw new Refusal(400, { reason: "badContent", message });
}

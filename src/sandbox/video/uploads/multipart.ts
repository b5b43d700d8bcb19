import { ApiRefusal } from "../refusal.ts";

/** Where the bytes of one part go. */
export interface PartSink {
  write(chunk: Uint8Array): void;
}

interface MultipartOptions {
  readonly boundary: string;
  /** Says where a part goes, by its number from 0 and its declared type. */
  readonly onPart: (index: number, type: string | undefined) => PartSink;
}

interface MultipartReader {
  write(chunk: Uint8Array): void;
  /** Throws when the closing delimiter never came. */
  end(): void;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** How far a body is read. */
interface MultipartState {
  readonly delimiter: Buffer;
  readonly onPart: MultipartOptions["onPart"];
  /** What came and is not passed on yet. */
  held: Buffer;
  state: keyof typeof steps;
  /** The part whose body is read. */
  part: PartSink | undefined;
  count: number;
  /** Of the part whose headers are read. */
  type: string | undefined;
}

/** What is read in each state; each answers whether more of what is held can be read. */
const steps = {
  body: readBody,
  delimiter: readDelimiter,
  headers: readHeader,
  done: () => false,
} as const;

/**
 * Reads a `multipart/*` body as it comes, holding back no more than a delimiter. Forgives what clients get wrong
 * without loss: bare newlines, a preamble, an epilogue, spaces after a delimiter.
 */
export function createMultipartReader({ boundary, onPart }: MultipartOptions): MultipartReader {
  const reading: MultipartState = {
    delimiter: Buffer.from(`\n--${boundary}`),
    onPart,
    // The first delimiter may be the very first thing.
    held: Buffer.from("\n"),
    state: "body",
    part: undefined,
    count: 0,
    type: undefined,
  };
  return {
    write(chunk) {
      if (reading.state === "done") return;
      const { held } = reading;
      reading.held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      while (steps[reading.state](reading));
    },
    end() {
      if (reading.state === "done") return;
      const message = "The multipart body ends before its closing delimiter.";
      throw new ApiRefusal(400, { reason: "parseError", message });
    },
  };
}

function readBody(reading: MultipartState): boolean {
  const { held, delimiter } = reading;
  const at = held.indexOf(delimiter);
  if (at === -1) {
    pass(reading, Math.max(0, held.length - delimiter.length - 1));
    return false;
  }
  pass(reading, at > 0 && held[at - 1] === carriageReturn ? at - 1 : at);
  reading.held = reading.held.subarray(reading.held.indexOf(delimiter) + delimiter.length);
  reading.state = "delimiter";
  return true;
}

function pass(reading: MultipartState, length: number): void {
  if (length > 0) reading.part?.write(reading.held.subarray(0, length));
  reading.held = reading.held.subarray(length);
}

function readLine(reading: MultipartState): string | undefined {
  const end = reading.held.indexOf(newline);
  if (end === -1) return undefined;
  const line = reading.held.toString("latin1", 0, end).trimEnd();
  reading.held = reading.held.subarray(end + 1);
  return line;
}

function readDelimiter(reading: MultipartState): boolean {
  const { held } = reading;
  if (held.length >= 2 && held.toString("latin1", 0, 2) === "--") {
    reading.state = "done";
    return true;
  }
  if (readLine(reading) === undefined) return false;
  reading.state = "headers";
  reading.type = undefined;
  return true;
}

function readHeader(reading: MultipartState): boolean {
  const line = readLine(reading);
  if (line === undefined) return false;
  if (line !== "") {
    reading.type = /^content-type:(.+)$/i.exec(line)?.[1]?.trim() || reading.type;
    return true;
  }
  const sink = reading.onPart(reading.count, reading.type);
  reading.count += 1;
  // An empty part's delimiter follows the blank line at once.
  reading.held = Buffer.concat([Buffer.from("\n"), reading.held]);
  reading.part = withoutFirst(sink);
  reading.state = "body";
  return true;
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
  throw new ApiRefusal(400, { reason: "badContent", message });
}

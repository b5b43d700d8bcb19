import { describe, expect, it } from "vitest";
import {
  createMultipartReader,
  readBoundary,
} from "../../../src/sandbox/video/uploads/multipart.ts";
import { seed, seeded } from "../../support/random.ts";

interface Part {
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

/** Reads a body that comes in pieces as large as `next` says. */
function read(body: Buffer, boundary: string, next: () => number = () => body.length): Part[] {
  const parts: { type: string | undefined; chunks: Buffer[] }[] = [];
  const reader = createMultipartReader({
    boundary,
    onPart(_, type) {
      const part = { type, chunks: [] as Buffer[] };
      parts.push(part);
      return { write: (chunk) => part.chunks.push(Buffer.from(chunk)) };
    },
  });
  for (let at = 0; at < body.length; ) {
    const size = Math.max(1, next());
    reader.write(body.subarray(at, at + size));
    at += size;
  }
  reader.end();
  return parts.map(({ type, chunks }) => ({ type, bytes: Buffer.concat(chunks) }));
}

function write(parts: readonly Part[], boundary: string, newline = "\r\n"): Buffer {
  const written = parts.flatMap(({ type, bytes }) => [
    Buffer.from(`--${boundary}${newline}`),
    Buffer.from(type === undefined ? newline : `content-type: ${type}${newline}${newline}`),
    bytes,
    Buffer.from(newline),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${boundary}--`)]);
}

describe("createMultipartReader", () => {
  it("finds every part whatever it holds and however it is cut up", () => {
    const random = seeded(seed);
    const pieces = ["\r", "\n", "\r\n", "-", "--", "\r\n--", "\n--edg", "x", "\0", "\r\n\r\n"];
    for (let run = 0; run < 300; run++) {
      const bytes = (): Buffer =>
        Buffer.from(
          Array.from({ length: random() * 40 }, () => pieces[Math.floor(random() * 10)]).join(""),
        );
      const parts = [
        { type: "application/json", bytes: bytes() },
        { type: "video/mp4", bytes: bytes() },
      ];
      const largest = 1 + random() * 60;
      const found = read(write(parts, "edge"), "edge", () => Math.floor(random() * largest));

      expect(found, `seed ${seed}, run ${run}`).toEqual(parts);
    }
  });

  it("forgives bare newlines, a preamble, an epilogue and a part without a type", () => {
    const parts = [{ type: undefined, bytes: Buffer.from("{}") }];
    const body = Buffer.concat([
      Buffer.from("before\n"),
      write(parts, "edge", "\n"),
      Buffer.from("\nafter"),
    ]);

    expect(read(body, "edge")).toEqual(parts);
  });

  it("refuses a body that ends before its closing delimiter", () => {
    const body = write([{ type: "text/plain", bytes: Buffer.from("x") }], "edge").subarray(0, -2);

    expect(() => read(body, "edge")).toThrow(
      expect.objectContaining({ options: expect.objectContaining({ reason: "parseError" }) }),
    );
  });
});

describe("readBoundary", () => {
  it.each([
    ["multipart/related; boundary=edge", "edge"],
    ['multipart/related; type="x"; boundary="two words"; charset=utf-8', "two words"],
    ["multipart/related;BOUNDARY=a-b_c", "a-b_c"],
  ])("reads %s", (header, expected) => {
    expect(readBoundary(header)).toBe(expected);
  });

  it("refuses a header without one", () => {
    expect(() => readBoundary("multipart/related")).toThrow();
  });
});

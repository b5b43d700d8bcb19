import { describe, expect, it } from "vitest";
import { parseMultipart } from "../../../src/sandbox/video/uploads/multipart.ts";
import { seed, seeded } from "../../support/random.ts";

interface Part {
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

const header = "multipart/related; boundary=edge";

function write(parts: readonly Part[], newline = "\r\n"): Buffer {
  const written = parts.flatMap(({ type, bytes }) => [
    Buffer.from(`--edge${newline}`),
    Buffer.from(type === undefined ? newline : `content-type: ${type}${newline}${newline}`),
    bytes,
    Buffer.from(newline),
  ]);
  return Buffer.concat([...written, Buffer.from("--edge--")]);
}

describe("parseMultipart", () => {
  it("finds every part whatever it holds", () => {
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

      expect(parseMultipart(write(parts), header), `seed ${seed}, run ${run}`).toEqual(parts);
    }
  });

  it("forgives bare newlines, a preamble, an epilogue and a part without a type", () => {
    const parts = [{ type: undefined, bytes: Buffer.from("{}") }];
    const around = [Buffer.from("before\n"), write(parts, "\n"), Buffer.from("\nafter")];

    expect(parseMultipart(Buffer.concat(around), header)).toEqual(parts);
  });

  it("refuses a body that ends before its closing delimiter", () => {
    const body = write([{ type: "text/plain", bytes: Buffer.from("x") }]).subarray(0, -2);

    expect(() => parseMultipart(body, header)).toThrow(
      expect.objectContaining({ options: expect.objectContaining({ reason: "parseError" }) }),
    );
  });

  it.each([
    ["multipart/related; boundary=edge"],
    ['multipart/related; type="x"; boundary="edge"; charset=utf-8'],
    ["multipart/related;BOUNDARY=edge"],
  ])("reads the boundary of %s", (contentType) => {
    expect(parseMultipart(Buffer.from("--edge--"), contentType)).toEqual([]);
  });

  it("refuses a header without a boundary", () => {
    expect(() => parseMultipart(Buffer.alloc(0), "multipart/related")).toThrow();
  });
});

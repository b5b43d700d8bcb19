import { describe, expect, it } from "vitest";
import { estimateMemoryNeed } from "../../../src/images/worker/memory-need.ts";
import { oneBitPng } from "../bad-files.ts";
import { photo } from "../pictures.ts";

const limits = { maxBytes: 12e6, maxPixels: 50e6 };
const prepare = { job: "prepare", options: limits } as const;
const fit = {
  job: "fit",
  options: { width: 1280, height: 720, shape: "cover", maxBytes: 2e6 },
} as const;
const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

/** Only a GIF's header, which is enough to read the size. */
function gifHead(width: number, height: number): Buffer {
  const head = Buffer.from("GIF89a\0\0\0\0\0\0\0", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
}

async function progressive(width: number, height: number): Promise<Buffer> {
  const bytes = await photo(64, 64).jpeg({ progressive: true }).toBuffer();
  const at = bytes.indexOf(Buffer.from([0xff, 0xc2]));
  bytes.writeUInt16BE(height, at + 5);
  bytes.writeUInt16BE(width, at + 7);
  return Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(600_000), bytes.subarray(-2)]);
}

describe("estimateMemoryNeed", () => {
  it("asks for more the more pixels there are", async () => {
    const small = await photo(64, 64).jpeg().toBuffer();

    expect(estimateMemoryNeed(prepare, [small])).toBeLessThan(100_000);
    expect(estimateMemoryNeed(prepare, [oneBitPng(5_000, 5_000)])).toBeGreaterThan(90e6);
  });

  it("asks for what a decoder holds of a JPEG in passes", async () => {
    const whole = await progressive(5_000, 4_000);

    // 4:2:0: half as many samples again as pixels, of two bytes each.
    expect(estimateMemoryNeed(prepare, [whole])).toBeGreaterThan(60e6);
    expect(estimateMemoryNeed(prepare, [whole])).toBeLessThan(120e6);
  });

  it("asks for the writing only where a picture has to be written", () => {
    const png = oneBitPng(5_000, 5_000);

    const asItIs = estimateMemoryNeed(prepare, [png]);
    const again = estimateMemoryNeed({ ...prepare, options: { ...limits, maxPixels: 10e6 } }, [
      png,
    ]);

    expect(mebibytes(again - asItIs)).toBe(mebibytes(10e6 * 4));
  });

  it("asks for a sheet as its largest picture wants it, because they come one by one", () => {
    const options = { maxBytes: 1e6 };
    const png = oneBitPng(5_000, 5_000);
    const two = estimateMemoryNeed({ job: "sheet", options }, [png, png]);
    const four = estimateMemoryNeed({ job: "sheet", options }, [png, png, png, png]);

    expect(mebibytes(two)).toBeGreaterThan(100);
    expect(mebibytes(four - two)).toBeLessThan(1);
  });

  it("knows the size of a cut-out that is a picture", () => {
    const options = { side: 128, maxBytes: 1e5 };

    expect(estimateMemoryNeed({ job: "square", options }, [oneBitPng(100, 100)])).toBeLessThan(1e6);
  });

  it.each([
    ["a GIF, which may be clear", gifHead(6_000, 5_000), 800],
    ["an AVIF, whose size only its decoder reads", Buffer.from("\0\0\0\x1cftypavif"), 850],
    ["something cut", Buffer.from("\xff\xd8\xff", "latin1"), 300],
  ])("stays below a gibibyte for %s", (_, bytes, most) => {
    expect(mebibytes(estimateMemoryNeed(prepare, [bytes]))).toBeGreaterThan(40);
    expect(mebibytes(estimateMemoryNeed(prepare, [bytes]))).toBeLessThan(most);
    expect(estimateMemoryNeed(fit, [bytes])).toBeLessThan(estimateMemoryNeed(prepare, [bytes]));
  });
});

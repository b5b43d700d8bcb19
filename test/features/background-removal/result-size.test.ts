import { describe, expect, it } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import { requireResultSize } from "../../../src/features/background-removal/result-size.ts";
import type { ServiceReadyPicture } from "../../../src/images/index.ts";

const refused = (code: string) => expect.objectContaining({ code }) as InputError;

const limit = 10 * 1024 * 1024;

const sent = (width: number, height: number, bytes = 0): ServiceReadyPicture => ({
  bytes: Buffer.alloc(bytes),
  format: "jpeg",
  width,
  height,
  original: { format: "jpeg", width, height, frames: 1 },
  digest: "",
  fitted: "unchanged",
  isCutOut: false,
});

describe("requireResultSize", () => {
  it("refuses a PNG of more than 10 megapixels before it is paid for", () => {
    expect(() => requireResultSize({ format: "png" }, sent(4000, 3000), limit)).toThrow(
      refused("png_too_large"),
    );
  });

  it.each([
    [{ format: "png" }, 4000, 2500],
    [{ format: "png", size: "hd" }, 8000, 6000],
    [{ format: "png", crop: true }, 4000, 3000],
    [{ format: "webp" }, 8000, 6000],
    [{}, 8000, 6000],
    [{ format: "png", oversize: "smaller" }, 4000, 3000],
  ] as const)("lets %j of %i × %i through", (options, width, height) => {
    expect(() => requireResultSize(options, sent(width, height), limit)).not.toThrow();
  });

  const megabytes = (count: number) => count * 1e6;

  it.each([
    ["png", { format: "png" }, megabytes(5), { bytes: 15_000_000, maxBytes: limit }],
    ["zip", { format: "zip", size: "50MP" }, megabytes(11), { bytes: 11_550_000 }],
  ] as const)(
    "refuses a %s that is likely to be larger than can be sent",
    (_, options, bytes, facts) => {
      expect(() => requireResultSize(options, sent(4000, 2500, bytes), limit)).toThrow(
        expect.objectContaining({
          code: "result_too_large",
          outcome: "nothing",
          facts: expect.objectContaining(facts) as object,
        }) as InputError,
      );
    },
  );

  it.each([
    [{ format: "png" }, megabytes(2)],
    [{ format: "zip" }, megabytes(9)],
    [{}, megabytes(12)],
    [{ format: "png", maskOnly: true }, megabytes(12)],
    [{ format: "png", crop: true }, megabytes(12)],
    [{ format: "png", oversize: "parts" }, megabytes(12)],
    [{ format: "png", size: "medium" }, megabytes(12)],
  ] as const)("lets %j of a picture of %d bytes through", (options, bytes) => {
    expect(() => requireResultSize(options, sent(4000, 2500, bytes), limit)).not.toThrow();
  });
});

import { describe, expect, it } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import { requirePngSize } from "../../../src/features/background-removal/result-size.ts";
import type { ServiceReadyPicture } from "../../../src/images/index.ts";

const refused = (code: string) => expect.objectContaining({ code }) as InputError;

const sent = (width: number, height: number): ServiceReadyPicture => ({
  bytes: Buffer.alloc(0),
  format: "jpeg",
  width,
  height,
  original: { format: "jpeg", width, height, frames: 1 },
  digest: "",
  fitted: "unchanged",
  isCutOut: false,
});

describe("requirePngSize", () => {
  it("refuses a PNG of more than 10 megapixels before it is paid for", () => {
    expect(() => requirePngSize({ format: "png" }, sent(4000, 3000))).toThrow(
      refused("png_too_large"),
    );
  });

  it.each([
    [{ format: "png" }, 4000, 2500],
    [{ format: "png", size: "hd" }, 8000, 6000],
    [{ format: "png", crop: true }, 4000, 3000],
    [{ format: "webp" }, 8000, 6000],
    [{}, 8000, 6000],
  ] as const)("lets %j of %i × %i through", (options, width, height) => {
    expect(() => requirePngSize(options, sent(width, height))).not.toThrow();
  });
});

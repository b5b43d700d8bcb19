import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { createImages, type Images } from "../../../src/images/index.ts";
import { chunk, oneBitPng } from "../bad-files.ts";
import { withSums } from "../mutations.ts";
import { codeOf } from "../pictures.ts";

/** A picture in one colour, because only its size matters. */
function flat(width: number, height: number) {
  const create = { width, height, channels: 3, background: "#369" } as const;
  return sharp({ create, limitInputPixels: false });
}

const large = await flat(9_000, 6_500).jpeg().toBuffer();
const limits = { maxBytes: 12e6, maxPixels: 50e6 };
let images: Images | undefined;

afterEach(() => images?.close());

function open(): Images {
  images = createImages({ workers: 1, maxWorkerBytes: 1024 ** 3 });
  return images;
}

describe.runIf(process.platform === "linux")(
  "a picture of more pixels than the service takes",
  () => {
    it("comes under them row by row, one strip after the other", async () => {
      const prepared = await open().prepare(large, limits);

      expect(prepared).toMatchObject({
        format: "jpeg",
        fitted: "resized",
        original: { width: 9_000, height: 6_500 },
      });
      expect(prepared.width * prepared.height).toBeLessThanOrEqual(50e6);
      expect(prepared.width * prepared.height).toBeGreaterThan(49e6);
    });

    it("fits a place as well", async () => {
      const fitted = await open().fit(large, {
        width: 1280,
        height: 720,
        shape: "cover",
        maxBytes: 2e6,
      });

      expect(fitted).toMatchObject({ width: 1280, height: 720 });
    });

    it("comes under them as a PNG too, and turns round meanwhile", async () => {
      const png = oneBitPng(9_000, 6_000);
      // EXIF with one entry: the orientation, a short with the value 6.
      const exif = Buffer.from(
        "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0",
        "latin1",
      );
      const bytes = withSums(
        Buffer.concat([png.subarray(0, 33), chunk("eXIf", exif), png.subarray(33)]),
      );

      const prepared = await open().prepare(bytes, limits);

      expect(prepared.width).toBeLessThan(prepared.height);
      expect(prepared).toMatchObject({ format: "jpeg", fitted: "resized" });
    });

    it("is refused at once where decoding it would take too long", async () => {
      const bytes = oneBitPng(16_383, 16_383);
      const room = open();
      await room.inspect(oneBitPng(10, 10));

      expect(await codeOf(room.prepare(bytes, limits))).toBe("picture_pixels");
    });

    it("is refused where it would have to be held whole", async () => {
      const bytes = await flat(64, 64)
        .jpeg({ progressive: true, chromaSubsampling: "4:4:4" })
        .toBuffer();
      const at = bytes.indexOf(Buffer.from([0xff, 0xc2]));
      bytes.writeUInt16BE(15_000, at + 5);
      bytes.writeUInt16BE(15_000, at + 7);
      // Pads it to the fewest bytes that such a picture can have.
      const padded = Buffer.concat([
        bytes.subarray(0, -2),
        Buffer.alloc(2_000_000),
        bytes.subarray(-2),
      ]);

      const refused = open().prepare(padded, limits);

      await expect(refused).rejects.toMatchObject({
        code: "picture_pixels",
        facts: { width: 15_000, height: 15_000 },
      });
    });
  },
);

import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readPictureHead } from "../../../src/images/index.ts";
import { seed, seeded } from "../../support/random.ts";

const sizeOf = (bytes: Uint8Array) => readPictureHead(bytes)?.size;

const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: "#81d4fa" } });

const pictures = {
  png: await drawn.clone().png().toBuffer(),
  jpg: await drawn.clone().jpeg().toBuffer(),
  progressive: await drawn.clone().jpeg({ progressive: true }).toBuffer(),
  webp: await drawn.clone().webp().toBuffer(),
  lossless: await drawn.clone().webp({ lossless: true }).toBuffer(),
  extended: await drawn.clone().ensureAlpha(0.5).withIccProfile("p3").webp().toBuffer(),
  sideways: await drawn.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  upsideDown: await drawn.clone().withMetadata({ orientation: 3 }).jpeg().toBuffer(),
};

describe("the format in a picture's head", () => {
  it.each([
    ["png", "png"],
    ["jpeg", "jpg"],
    ["webp", "lossless"],
  ] as const)("is %s by its bytes", (format, name) => {
    expect(readPictureHead(pictures[name])?.format).toBe(format);
  });

  it.each(["", "GIF89a", "RIFF....WAVE", "<svg>", "\x89PN", "PK\x03\x04"])(
    "is no other: %j",
    (text) => {
      expect(readPictureHead(Buffer.from(text, "latin1"))).toBeUndefined();
    },
  );
});

describe("the size in a picture's head", () => {
  it.each(Object.keys(pictures).filter((name) => name !== "sideways"))("reads %s", (name) => {
    expect(sizeOf(pictures[name as keyof typeof pictures])).toEqual({
      width: 40,
      height: 30,
    });
  });

  it("turns what lies on its side", () => {
    expect(sizeOf(pictures.sideways)).toEqual({ width: 30, height: 40 });
  });

  it("finds the size of a JPEG behind a megabyte of profiles, previews and words", () => {
    const segment = (marker: number) => {
      const bytes = Buffer.alloc(65_537, "Exif? ");
      bytes.writeUInt16BE(marker);
      bytes.writeUInt16BE(bytes.length - 2, 2);
      return bytes;
    };
    const many = [0xffe2, 0xffe1, 0xfffe, 0xffed].flatMap((marker) =>
      Array(5).fill(segment(marker)),
    );
    const [start, rest] = [pictures.sideways.subarray(0, 2), pictures.sideways.subarray(2)];
    // The orientation is in the first segment, which may come before or after the others.
    const length = 2 + rest.readUInt16BE(2);
    const [first, last] = [rest.subarray(0, length), rest.subarray(length)];

    expect(first.includes("Exif")).toBe(true);
    for (const parts of [
      [start, ...many, first, last],
      [start, first, ...many, last],
    ]) {
      expect(sizeOf(Buffer.concat(parts))).toEqual({ width: 30, height: 40 });
    }
  });

  it("is done with a JPEG of nothing but comments", () => {
    const comments = Buffer.alloc(12_000_000, Buffer.from([0xff, 0xfe, 0, 2]));
    comments.set([0xff, 0xd8]);

    expect(sizeOf(comments)).toBeUndefined();
  });

  it.each(Object.keys(pictures))("leaves open what a cut %s does not tell", (name) => {
    const whole = pictures[name as keyof typeof pictures];

    for (let bytes = 0; bytes < Math.min(whole.length, 1_000); bytes += 1) {
      // The bytes that follow it in memory must not be read as its size.
      const memory = Buffer.concat([whole.subarray(0, bytes), Buffer.alloc(64, 0x11)]);
      const size = sizeOf(memory.subarray(0, bytes));
      if (size !== undefined) expect([size.width, size.height].sort()).toEqual([30, 40]);
    }
  });

  it(`answers whatever is done to the bytes (seed ${seed})`, () => {
    const random = seeded(seed);
    const at = (most: number) => Math.floor(random() * most);
    for (const whole of Object.values(pictures)) {
      for (let n = 0; n < 300; n += 1) {
        const bytes = Buffer.from(whole.subarray(0, 1 + at(whole.length)));
        for (let k = at(6); k >= 0; k -= 1) bytes[at(bytes.length)] = at(256);
        const size = sizeOf(bytes);
        if (size) expect(size.width * size.height).toBeGreaterThan(0);
      }
    }
  });

  it("is done with 12 MB made to be slow", () => {
    const slow = Buffer.alloc(12_000_000, 0);
    slow.set([0xff, 0xd8, 0xff, 0xe0]);

    expect(sizeOf(slow)).toBeUndefined();
  });
});

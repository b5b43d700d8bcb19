import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { prepareForService } from "../../../src/images/fit/prepare.ts";
import { codeOf, noise, photo } from "../pictures.ts";

const roomy = { maxBytes: 12e6, maxPixels: 50e6 };
const [width, height] = [83, 61];
const scene = () => photo(width, height);
const clear = () => scene().ensureAlpha(0.5);
const endMarkerBytes = 2;
const iendBytes = 12;

const noEnd = (jpeg: Buffer) => jpeg.subarray(0, -endMarkerBytes);
const cutBy = (bytes: number) => (whole: Buffer) => whole.subarray(0, -bytes);
const cutTo = (share: number) => (whole: Buffer) =>
  whole.subarray(0, Math.floor(whole.length * share));
const followedBy = (more: Buffer) => (jpeg: Buffer) => Buffer.concat([noEnd(jpeg), more]);
/** What some phones append to their pictures. */
const trailer = Buffer.from(`Image_UTC_Data1780000000000SEFHk\0\0\0${"MCC_Data208".repeat(9)}SEFT`);

const jpegs = {
  baseline: () => scene().jpeg({ chromaSubsampling: "4:4:4" }),
  "baseline with quarter colours": () => scene().jpeg({ quality: 60 }),
  "baseline with usual tables": () => scene().jpeg({ optimiseCoding: false }),
  "baseline in grey": () => scene().toColourspace("b-w").jpeg(),
  "baseline of one colour": () =>
    sharp({ create: { width, height, channels: 3, background: "#a20" } }).jpeg(),
  progressive: () => scene().jpeg({ progressive: true }),
  "progressive in grey": () => scene().toColourspace("b-w").jpeg({ progressive: true }),
} as const;

const jpegKinds = Object.entries(jpegs).map(([name, make]) => [name, make] as const);

function segment(marker: number, ...body: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, 0, body.length + 2, ...body]);
}

/** Grey, six blocks in two rows with a restart marker after each: no encoder here writes those. */
function restarted(): Buffer {
  const counts = (...of: readonly number[]) => [...of, ...Array<number>(16 - of.length).fill(0)];
  const blocks = [3, 9, 14, 1, 12, 6].map((bits) => 0b1000_0001 | (bits << 2));
  const coded = blocks.flatMap((block, i) =>
    i === 0 ? [block] : [0xff, 0xd0 + ((i - 1) % 8), block],
  );
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(8)),
    segment(0xc0, 8, 0, 16, 0, 24, 1, 1, 0x11, 0),
    segment(0xc4, 0, ...counts(1, 1), 0, 4),
    segment(0xc4, 0x10, ...counts(1), 0),
    segment(0xdd, 0, 1),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.from(coded),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const pixels = (bytes: Buffer) => sharp(bytes).toColourspace("srgb").raw().toBuffer();

/** The prepared picture shows the same as the whole file. */
async function expectWhole(whole: Buffer, file: Buffer): Promise<void> {
  const { bytes, fitted } = await prepareForService(file, roomy);

  expect(fitted).toBe("unchanged");
  expect((await pixels(bytes)).equals(await pixels(whole))).toBe(true);
}

describe("a JPEG with all its pixels", () => {
  const endings: readonly (readonly [string, (jpeg: Buffer) => Buffer])[] = [
    ["no end marker", noEnd],
    ["half an end marker", cutBy(1)],
    ["a phone's trailer", followedBy(trailer)],
  ];

  for (const [kind, make] of jpegKinds) {
    it.each(endings)(`is accepted with %s: ${kind}`, async (_, end) => {
      const whole = await make().toBuffer();

      await expectWhole(whole, end(whole));
    });
  }

  it.each(["baseline", "progressive"] as const)(
    "is accepted with zeros up to a whole sector: %s",
    async (kind) => {
      const whole = await jpegs[kind]().toBuffer();

      await expectWhole(whole, followedBy(Buffer.alloc(512))(whole));
    },
  );

  it("is sent without what followed it", async () => {
    const whole = await jpegs.baseline().toBuffer();

    const { bytes } = await prepareForService(followedBy(trailer)(whole), roomy);

    expect(bytes.equals(whole)).toBe(true);
  });

  it("is accepted with another picture behind it", async () => {
    const whole = await jpegs.baseline().toBuffer();
    const other = await jpegs.progressive().toBuffer();

    const { bytes } = await prepareForService(followedBy(other)(whole), roomy);

    expect(bytes.equals(whole)).toBe(true);
  });

  it("is accepted with restart markers", async () => {
    await expectWhole(restarted(), noEnd(restarted()));
  });
});

describe("a JPEG that lacks pixels", () => {
  const cuts: readonly (readonly [string, (jpeg: Buffer) => Buffer])[] = [
    ["half of it", cutTo(0.5)],
    ["nine tenths of it", cutTo(0.9)],
    ["the last byte of its pixels missing", cutBy(endMarkerBytes + 1)],
    ["the last two bytes of its pixels missing", cutBy(endMarkerBytes + 2)],
    ["the last three bytes of its pixels missing", cutBy(endMarkerBytes + 3)],
  ];

  for (const [kind, make] of jpegKinds) {
    it.each(cuts)(`is refused with %s: ${kind}`, async (_, cut) => {
      const whole = await make().toBuffer();

      expect(await codeOf(prepareForService(cut(whole), roomy))).toBe("picture_truncated");
    });
  }

  it.each([1, 2, 3, 4, 7])(
    "is refused with restart markers and %i bytes missing",
    async (bytes) => {
      const file = cutBy(endMarkerBytes + bytes)(restarted());

      expect(await codeOf(prepareForService(file, roomy))).toBe("picture_truncated");
    },
  );

  it("is refused with zeros in place of its last half", async () => {
    const whole = await jpegs.baseline().toBuffer();
    const half = cutTo(0.5)(whole);
    const file = Buffer.concat([half, Buffer.alloc(whole.length - half.length)]);

    expect(await codeOf(prepareForService(file, roomy))).toBe("picture_truncated");
  });
});

describe("a PNG without its end", () => {
  const pngs = [
    ["in colours", () => scene().png()],
    ["interlaced", () => scene().png({ progressive: true })],
    ["transparent", () => clear().png()],
    ["with a palette", () => scene().png({ palette: true })],
  ] as const;

  it.each(pngs)("is accepted %s, with all its pixels", async (_, make) => {
    const whole = await make().toBuffer();

    // Cuts all, half and the last byte of the end chunk, then also bytes of the pixels' checksum.
    for (const cut of [iendBytes, 6, 1, iendBytes + 1, iendBytes + 4]) {
      await expectWhole(whole, cutBy(cut)(whole));
    }
  });

  it.each(pngs)("is refused %s, without its last row", async (_, make) => {
    const whole = await make().toBuffer();

    for (const cut of [cutTo(0.5), cutTo(0.9), cutBy(iendBytes + 4 + 4 + 20)]) {
      expect(await codeOf(prepareForService(cut(whole), roomy))).toBe("picture_truncated");
    }
  });
});

describe("a WebP with a wrong size", () => {
  const webps = [
    ["lossy", () => scene().webp()],
    ["lossless", () => scene().webp({ lossless: true })],
    ["transparent", () => clear().webp()],
  ] as const;
  const declaring = (bytes: Buffer, by: number) => {
    const wrong = Buffer.from(bytes);
    wrong.writeUInt32LE(Math.max(0, bytes.length - 8 + by), 4);
    return wrong;
  };

  it.each(webps)("is accepted if it is %s and has all its pixels", async (_, make) => {
    const whole = await make().toBuffer();

    for (const by of [8, 1, 5_000, 1e9, -8, -100, -1e9]) {
      await expectWhole(whole, declaring(whole, by));
    }
  });

  it.each(webps)("is refused if it is %s and was cut off", async (_, make) => {
    const whole = await make().toBuffer();

    for (const cut of [cutTo(0.5), cutTo(0.9), cutBy(2)]) {
      const file = cut(whole);
      expect(await codeOf(prepareForService(file, roomy))).toBe("picture_truncated");
      expect(await codeOf(prepareForService(declaring(file, 0), roomy))).toBe("picture_truncated");
    }
  });
});

describe("a GIF without its trailer", () => {
  it("is accepted with all its pixels, and refused without", async () => {
    const whole = await scene().gif().toBuffer();

    const { fitted } = await prepareForService(cutBy(1)(whole), roomy);

    expect(fitted).toBe("converted");
    expect(await codeOf(prepareForService(cutTo(0.5)(whole), roomy))).toBe("picture_truncated");
  });
});

describe("bytes behind a picture's last scan", () => {
  it("cost little, whatever they are", async () => {
    const whole = noEnd(await jpegs.baseline().toBuffer());
    const file = Buffer.concat([whole, noise(2_000_000)]);

    expect((await prepareForService(file, roomy)).bytes).toHaveLength(
      whole.length + endMarkerBytes,
    );
  });
});

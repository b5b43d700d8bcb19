import sharp, { type ExifDir } from "sharp";
import { describe, expect, it } from "vitest";
import { BotError, InputError } from "../../../src/errors.ts";
import { fitPicture } from "../../../src/images/fit/fit-picture.ts";
import type { FitOptions } from "../../../src/images/index.ts";
import { checkBanner } from "../../../src/video/rules/set-banner.ts";
import { seed, seeded } from "../../support/random.ts";
import { codeOf, noise, oval, photo } from "../pictures.ts";

type Options = Omit<FitOptions, "signal">;

const banner: Options = {
  width: 2560,
  height: 1440,
  shape: "cover",
  minWidth: 2048,
  minHeight: 1152,
  maxBytes: 6 * 1024 * 1024,
};
const thumbnail: Options = {
  width: 1280,
  height: 720,
  shape: "contain",
  minWidth: 640,
  minHeight: 360,
  maxBytes: 2e6,
};
const small: Options = { width: 160, height: 90, shape: "cover", maxBytes: 1e6 };
const tiny: Options = { width: 32, height: 18, shape: "cover", maxBytes: 1e6 };
const formats = ["jpeg", "png", "webp"] as const;
const secret = { IFD0: { Artist: "CANARY-ARTIST" } satisfies ExifDir };
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>CANARY-XMP</a></x:xmpmeta>`;

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } });

/** A picture as large as a banner, enlarged from a small one. */
const large = (width: number, height: number) =>
  photo(120, 90).resize(width, height, { fit: "fill" });

/** Red, green, blue and alpha of one pixel. */
async function pixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const one = sharp(bytes).toColourspace("srgb").ensureAlpha();
  return [...(await one.extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

const near = (wanted: readonly number[]) =>
  wanted.map((value) => expect.toSatisfy((found: number) => Math.abs(found - value) < 8));

async function noisy(width: number, height: number) {
  return sharp(noise(width * height * 3), { raw: { width, height, channels: 3 } });
}

describe("fitPicture", () => {
  it.each(["jpeg", "png"] as const)(
    "gives the very same bytes of a %s that fits",
    async (format) => {
      const bytes = await photo(160, 90)[format]().withIccProfile("p3").toBuffer();

      const fitted = await fitPicture(bytes, small);

      expect(fitted.bytes).toBe(bytes);
      expect(fitted).toMatchObject({ format, width: 160, height: 90, fitted: "unchanged" });
    },
  );

  it.each(["jpeg", "png"] as const)(
    "cuts metadata out of a %s that fits, and nothing else",
    async (format) => {
      const bytes = await photo(160, 90)
        [format]()
        .withIccProfile("p3")
        .withExif(secret)
        .withXmp(xmp)
        .toBuffer();

      const fitted = await fitPicture(bytes, small);

      expect(bytes.includes("CANARY")).toBe(true);
      expect(fitted.bytes.includes("CANARY")).toBe(false);
      expect(fitted.fitted).toBe("unchanged");
      const raw = (of: Buffer) => sharp(of).raw().toBuffer();
      expect((await raw(fitted.bytes)).equals(await raw(bytes))).toBe(true);
    },
  );

  it.each(formats)("leaves no metadata of a %s that is encoded again", async (format) => {
    const bytes = await photo(400, 300)[format]().withExif(secret).withXmp(xmp).toBuffer();

    const fitted = await fitPicture(bytes, small);

    const meta = await sharp(fitted.bytes).metadata();
    expect(fitted.bytes.includes("CANARY")).toBe(false);
    expect([meta.exif, meta.xmp]).toEqual([undefined, undefined]);
  });

  it.each([
    [2720, 1530, "resized"],
    [2600, 1950, "cropped"],
    [2100, 1200, "cropped"],
    [2048, 1152, "unchanged"],
    [2050, 1153, "unchanged"],
  ] as const)("makes a banner of %i x %i that the client takes", async (width, height, done) => {
    const bytes = await large(width, height).jpeg().toBuffer();

    const fitted = await fitPicture(bytes, banner);

    const taken = checkBanner({ data: fitted.bytes });
    expect(taken.type).toBe("image/jpeg");
    expect(fitted.fitted).toBe(done);
    const meta = await sharp(fitted.bytes).metadata();
    expect([meta.width, meta.height]).toEqual([fitted.width, fitted.height]);
  });

  it("makes a banner of a camera's picture that lies on its side", async () => {
    const bytes = await large(1200, 2100).jpeg().withMetadata({ orientation: 6 }).toBuffer();

    const fitted = await fitPicture(bytes, banner);

    checkBanner({ data: fitted.bytes });
    expect(fitted).toMatchObject({ width: 2096, height: 1179 });
    expect((await sharp(fitted.bytes).metadata()).orientation).toBeUndefined();
  });

  it("turns a picture of the right size upright", async () => {
    const bytes = await photo(90, 160).png().withMetadata({ orientation: 8 }).toBuffer();

    const fitted = await fitPicture(bytes, small);

    expect(fitted).toMatchObject({ width: 160, height: 90, fitted: "recompressed" });
  });

  it("keeps what draws the eye when it crops", async () => {
    const spot = await photo(60, 60).tint("#ff2200").png().toBuffer();
    const bytes = await flat(900, 90, "#777777")
      .composite([{ input: spot, left: 780, top: 15 }])
      .png()
      .toBuffer();

    const fitted = await fitPicture(bytes, { ...small, minWidth: 100, minHeight: 50 });

    const { channels } = await sharp(fitted.bytes).stats();
    expect(fitted.fitted).toBe("cropped");
    expect((channels[0]?.max ?? 0) - (channels[2]?.min ?? 0)).toBeGreaterThan(100);
  });

  it("shows the whole picture between bars of the colour asked for", async () => {
    const bytes = await flat(1000, 1000, "#0000ff").jpeg().toBuffer();

    const fitted = await fitPicture(bytes, { ...thumbnail, background: "#ff8000" });

    expect(fitted).toMatchObject({ width: 1280, height: 720, format: "jpeg", fitted: "barred" });
    expect(await pixel(fitted.bytes, 100, 360)).toEqual(near([255, 128, 0, 255]));
    expect(await pixel(fitted.bytes, 640, 360)).toEqual(near([0, 0, 255, 255]));
    expect(await pixel(fitted.bytes, 1180, 360)).toEqual(near([255, 128, 0, 255]));
  });

  it("takes a part of a picture alone, as people see it, and nothing beyond", async () => {
    // Stored on its side: when it is shown upright, the red half is on top.
    const halves = flat(40, 60, "#0000ff").composite([
      { input: await flat(20, 60, "#ff0000").png().toBuffer(), left: 0, top: 0 },
    ]);
    const bytes = await halves.jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer();
    const part = { left: 10, top: 2, width: 30, height: 16 };
    const inside = { width: 30, height: 16, shape: "inside", maxBytes: 1e6 } as const;

    const fitted = await fitPicture(bytes, { ...inside, part });

    expect(fitted).toMatchObject({ width: 30, height: 16, format: "jpeg" });
    expect(await pixel(fitted.bytes, 15, 8)).toEqual(near([255, 0, 0, 255]));
    await expect(fitPicture(bytes, { ...inside, part: { ...part, top: 30 } })).rejects.toThrow(
      "beyond its picture",
    );
  });

  it("puts a grey picture between coloured bars", async () => {
    const bytes = await flat(800, 800, "#888").removeAlpha().toColourspace("b-w").jpeg().toBuffer();

    const fitted = await fitPicture(bytes, { ...thumbnail, background: "#ff0000" });

    expect(await pixel(fitted.bytes, 20, 360)).toEqual(near([255, 0, 0, 255]));
    expect(await pixel(fitted.bytes, 640, 360)).toEqual(near([136, 136, 136, 255]));
  });

  it.each([
    [undefined, [255, 255, 255, 255]],
    ["#00ff00", [0, 255, 0, 255]],
  ] as const)("lays what is clear onto %s in a JPEG", async (background, wanted) => {
    const bytes = await flat(300, 300, "#ff000000").png().toBuffer();

    const fitted = await fitPicture(bytes, {
      ...small,
      format: "jpeg",
      ...(background && { background }),
    });

    expect(fitted.format).toBe("jpeg");
    expect(await pixel(fitted.bytes, 10, 10)).toEqual(near(wanted));
  });

  it("keeps a watermark's transparency, and makes its bars clear too", async () => {
    const logo = { raw: { width: 300, height: 150, channels: 1 } } as const;
    const plain = {
      create: { width: 300, height: 150, channels: 3, background: "#123456" },
    } as const;
    const bytes = await sharp(plain).joinChannel(oval(300, 150), logo).png().toBuffer();

    const fitted = await fitPicture(bytes, {
      width: 150,
      height: 150,
      shape: "contain",
      maxBytes: 1e6,
    });

    expect(fitted).toMatchObject({ format: "png", width: 150, height: 150 });
    expect((await pixel(fitted.bytes, 75, 2))[3]).toBe(0);
    expect(await pixel(fitted.bytes, 75, 75)).toEqual(near([0x12, 0x34, 0x56, 255]));
  });

  it("only shrinks a picture that has to fit inside", async () => {
    const bytes = await photo(1000, 250).jpeg().toBuffer();

    const fitted = await fitPicture(bytes, { ...small, shape: "inside" });

    expect(fitted).toMatchObject({ width: 160, height: 40, fitted: "resized" });
  });

  it("makes a JPEG of a WebP, and a PNG of one that has transparency", async () => {
    const solid = await photo(160, 90).webp().toBuffer();
    const clear = await photo(160, 90).ensureAlpha(0.5).webp().toBuffer();

    expect((await fitPicture(solid, small)).format).toBe("jpeg");
    expect((await fitPicture(clear, small)).format).toBe("png");
  });

  it.each(["jpeg", "png"] as const)("makes a %s of anything when asked", async (format) => {
    for (const from of formats) {
      const bytes = await photo(160, 90)[from]().toBuffer();

      const fitted = await fitPicture(bytes, { ...small, format });

      expect(fitted.format).toBe(format);
      expect((await sharp(fitted.bytes).metadata()).format).toBe(format);
    }
  });

  it("brings a picture in printing colours to the screen's", async () => {
    const bytes = await photo(160, 90)
      .withIccProfile("cmyk")
      .toColourspace("cmyk")
      .jpeg()
      .toBuffer();

    const fitted = await fitPicture(bytes, small);

    expect((await sharp(bytes).metadata()).space).toBe("cmyk");
    expect((await sharp(fitted.bytes).metadata()).space).toBe("srgb");
  });

  it("keeps a wide colour profile when it encodes again", async () => {
    const bytes = await photo(400, 300).jpeg().withIccProfile("p3").toBuffer();

    const fitted = await fitPicture(bytes, small);

    expect((await sharp(fitted.bytes).metadata()).icc).toEqual((await sharp(bytes).metadata()).icc);
  });

  it.each([1.2, 2, 4, 10])("fits noise into a %dth of its bytes, pixels last", async (part) => {
    const bytes = await (await noisy(640, 360)).jpeg({ quality: 98 }).toBuffer();
    const maxBytes = Math.floor(bytes.length / part);

    const fitted = await fitPicture(bytes, { ...small, width: 640, height: 360, maxBytes });

    expect(fitted.bytes.length).toBeLessThanOrEqual(maxBytes);
    const meta = await sharp(fitted.bytes).metadata();
    expect([meta.width, meta.height]).toEqual([fitted.width, fitted.height]);
    if (part < 2) expect(fitted).toMatchObject({ width: 640, fitted: "recompressed" });
  });

  it("gives up quality where no pixel may go", async () => {
    const bytes = await (await noisy(640, 360)).jpeg({ quality: 98 }).toBuffer();
    const maxBytes = Math.floor(bytes.length / 5);

    const fitted = await fitPicture(bytes, { ...thumbnail, width: 640, height: 360, maxBytes });

    expect(fitted).toMatchObject({ width: 640, height: 360, fitted: "recompressed" });
    expect(fitted.bytes.length).toBeLessThanOrEqual(maxBytes);
  });

  it.each(["removeAlpha", "ensureAlpha"] as const)(
    "makes a JPEG of a PNG too large for its place (%s)",
    async (alpha) => {
      const bytes = await (await noisy(640, 360))[alpha]().png().toBuffer();

      const fitted = await fitPicture(bytes, { ...thumbnail, maxBytes: 300_000 });

      expect(fitted).toMatchObject({ format: "jpeg", width: 640, height: 360 });
    },
  );

  it("takes pixels from a transparent PNG that is too large", async () => {
    const bytes = await (await noisy(400, 400)).ensureAlpha(0.5).png().toBuffer();

    const fitted = await fitPicture(bytes, {
      width: 400,
      height: 400,
      shape: "cover",
      maxBytes: bytes.length / 4,
    });

    expect(fitted.format).toBe("png");
    expect(fitted.width).toBeLessThan(220);
    expect(fitted.width).toBe(fitted.height);
  });

  it("says how far a picture is from bytes that nothing meets", async () => {
    const bytes = await photo(160, 90).jpeg().toBuffer();

    const refused = fitPicture(bytes, { ...small, maxBytes: 200 });

    await expect(refused).rejects.toMatchObject({
      code: "picture_too_large",
      facts: { maxBytes: 200 },
    });
  });

  it.each(["white", "#fff", "#gggggg", ""])("refuses %j as a colour", async (background) => {
    const bytes = await photo(160, 90).jpeg().toBuffer();

    expect(await codeOf(fitPicture(bytes, { ...small, background }))).toBe("picture_background");
  });

  it("answers each kind of bad file in its own way", async () => {
    const jpeg = await large(2100, 1200).jpeg().toBuffer();
    const broken = await large(2100, 1200).png().toBuffer();
    const middle = Math.floor(broken.length / 2);
    broken.fill(0xaa, middle, middle + 50);
    const files = {
      picture_empty: Buffer.alloc(0),
      picture_type: Buffer.from("a text that is called banner.png"),
      picture_truncated: jpeg.subarray(0, jpeg.length / 2),
      picture_unreadable: broken,
      picture_too_small: await flat(1, 1, "#fff").png().toBuffer(),
      picture_shape: await flat(20_000, 10, "#fff").png().toBuffer(),
    };

    for (const [code, bytes] of Object.entries(files)) {
      const refused = fitPicture(bytes, banner);

      await expect(refused).rejects.toBeInstanceOf(InputError);
      await expect(refused).rejects.toMatchObject({ code });
    }
  });

  it("takes a picture by its bytes: what the client's check says of its own output, too", async () => {
    const webp = await flat(2048, 1152, "#345678").webp({ effort: 0 }).toBuffer();

    const fitted = await fitPicture(webp, banner);

    expect(checkBanner({ data: fitted.bytes }).type).toBe("image/jpeg");
  });

  it("refuses or fits whatever is left of damaged pictures", async () => {
    const random = seeded(seed);
    const whole = await Promise.all(formats.map((format) => photo(64, 40)[format]().toBuffer()));
    const ends: Record<string, number> = {};
    for (let i = 0; i < 90; i++) {
      const bytes = Buffer.from(whole[i % 3] ?? []);
      const from = random() < 0.3 ? Math.floor(random() * 60) : Math.floor(random() * bytes.length);
      const until = from + 1 + Math.floor(random() ** 3 * 40);
      for (let at = from; at < Math.min(until, bytes.length); at++) bytes[at] = random() * 256;
      const end = await fitPicture(bytes, tiny).then(
        ({ bytes: out, width, height }) =>
          out.length <= tiny.maxBytes && width <= 32 && height <= 18 ? "fits" : "does not fit",
        (error: unknown) =>
          error instanceof BotError && error.kind === "input" ? error.code : String(error),
      );
      expect(end, `seed ${seed}, round ${i}`).toMatch(/^(fits|picture_[a-z_]+)$/);
      ends[end] = (ends[end] ?? 0) + 1;
    }
    expect(Object.keys(ends).length).toBeGreaterThan(2);
  });
});

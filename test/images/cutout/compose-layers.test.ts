import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { compose } from "../../../src/images/cutout/compose.ts";
import type { CutoutBackdrop } from "../../../src/images/types.ts";
import { codeOf, cutoutZip, grey, photo, zipOf } from "../pictures.ts";
import {
  alpha,
  color,
  hidden,
  matte,
  pixelsOf,
  plane,
  scene,
  subject,
  subjectColor,
  traces,
  transparent,
  zip,
} from "../scenes.ts";

const { width, height } = scene;
const png = await transparent().png().toBuffer();
const decodedColors = await sharp(color, { ignoreIcc: true }).raw().toBuffer();

/** The subject over a background, by the formula, in 8 bits. */
function laid(ground: (x: number, y: number) => readonly number[], top = decodedColors): number[] {
  return [...top].map((sample, i) => {
    const pixel = Math.floor(i / 3);
    const on = (alpha[pixel] ?? 0) / 255;
    const under = ground(pixel % width, Math.floor(pixel / width))[i % 3] ?? 0;
    return Math.round(sample * on + under * (1 - on));
  });
}

function furthest(got: Buffer, wanted: readonly number[]): number {
  expect(got.length).toBe(wanted.length);
  return wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - (got[i] ?? 0))), 0);
}

/** A left and a right half, between bands that `cover` crops at this ratio. */
const halves = await sharp(
  Buffer.from(
    Array.from({ length: 160 * 200 }, (_, i) => {
      const y = Math.floor(i / 160);
      if (y < 40 || y >= 160) return [0, 0, 255];
      return i % 160 < 80 ? [250, 250, 0] : [0, 120, 90];
    }).flat(),
  ),
  { raw: { width: 160, height: 200, channels: 3 } },
)
  .png()
  .toBuffer();

describe("compose with a backdrop", () => {
  it("lays the subject on a colour without a fringe", async () => {
    const { bytes } = await compose(zip, {
      format: "png",
      backdrop: { kind: "color", color: "#102030" },
    });

    expect(
      furthest(
        (await pixelsOf(bytes)).data,
        laid(() => [16, 32, 48]),
      ),
    ).toBeLessThanOrEqual(1);
  });

  it("lays it on a gradient", async () => {
    const backdrop = { kind: "gradient", from: "#ff0000", to: "#00ff00", angle: 0 } as const;

    const { bytes } = await compose(zip, { format: "png", backdrop });

    const wanted = laid((x) => [255 - (255 * x) / (width - 1), (255 * x) / (width - 1), 0]);
    expect(furthest((await pixelsOf(bytes)).data, wanted)).toBeLessThanOrEqual(1);
  });

  it("draws a gradient from top to bottom when no angle is given", async () => {
    const { bytes } = await compose(zip, {
      format: "png",
      backdrop: { kind: "gradient", from: "#ff0000", to: "#00ff00" },
    });

    const { at } = await pixelsOf(bytes);
    expect([at(0, 0), at(width - 1, 0), at(0, height - 1)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
      [0, 255, 0],
    ]);
  });

  it("covers the whole place with a picture, centred", async () => {
    const { bytes } = await compose(zip, {
      format: "png",
      backdrop: { kind: "picture", bytes: halves },
    });

    const wanted = laid((x) => (x < width / 2 ? [250, 250, 0] : [0, 120, 90]));
    expect(furthest((await pixelsOf(bytes)).data, wanted)).toBeLessThanOrEqual(1);
  });

  it.each(["jpeg", "png", "webp", "gif", "tiff", "avif"] as const)(
    "takes a %s as the picture",
    async (format) => {
      const bytes = await photo(90, 90).toFormat(format).toBuffer();

      const composed = await compose(zip, { format: "auto", backdrop: { kind: "picture", bytes } });

      expect(composed).toMatchObject({ format: "jpg", fitted: "asked", width, height });
    },
  );

  it("turns the picture upright", async () => {
    const turned = await sharp(halves).rotate(180).png().toBuffer();
    const bytesOf = sharp(turned).jpeg().withMetadata({ orientation: 3 }).toBuffer();
    const backdrop = { kind: "picture", bytes: await bytesOf } as const;

    const { bytes } = await compose(zip, { format: "png", backdrop });

    const { at } = await pixelsOf(bytes);
    expect(at(10, 60)[0]).toBeGreaterThan(230);
    expect(at(width - 10, 60)[0]).toBeLessThan(20);
  });

  it("shows white where the picture is transparent", async () => {
    const bytes = await sharp({ create: { ...scene, channels: 4, background: "#00ff0080" } })
      .png()
      .toBuffer();

    const composed = await compose(zip, { format: "png", backdrop: { kind: "picture", bytes } });

    const [red = 0, green, blue] = (await pixelsOf(composed.bytes)).at(3, 3);
    expect(Math.abs(red - 127)).toBeLessThanOrEqual(1);
    expect([green, blue]).toEqual([255, red]);
  });

  it("says of the picture what is wrong with it", async () => {
    const use = (bytes: Buffer) =>
      codeOf(compose(zip, { format: "jpg", backdrop: { kind: "picture", bytes } }));
    const whole = await photo(200, 200).jpeg().toBuffer();

    expect(await use(Buffer.from("no picture"))).toBe("picture_type");
    expect(await use(Buffer.alloc(0))).toBe("picture_empty");
    expect(await use(whole.subarray(0, 900))).toBe("picture_truncated");
  });

  it.each<CutoutBackdrop>([
    { kind: "gradient", from: "#ffffff", to: "red" },
    { kind: "gradient", from: "0", to: "#ffffff" },
    { kind: "color", color: "#fff" },
  ])("refuses colours that are none: %o", async (backdrop) => {
    expect(await codeOf(compose(zip, { format: "png", backdrop }))).toBe("picture_background");
  });

  it.each(["png", "webp", "jpg"] as const)(
    "keeps a standard profile in a %s and writes no alpha",
    async (format) => {
      const { bytes } = await compose(zip, {
        format,
        backdrop: { kind: "color", color: "#ffffff" },
      });

      const { icc, channels } = await sharp(bytes).metadata();
      expect(icc).toEqual((await sharp(color).metadata()).icc);
      expect(channels).toBe(3);
    },
  );

  it("turns wide colours into sRGB, as the backdrop is", async () => {
    const wide = await sharp(color)
      .withIccProfile("p3")
      .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const source = zipOf({ name: "color.jpg", data: wide }, { name: "alpha.png", data: matte });

    const { bytes } = await compose(source, {
      format: "png",
      backdrop: { kind: "color", color: "#102030" },
    });

    const { at } = await pixelsOf(bytes);
    expect((await sharp(bytes).metadata()).icc).toBeUndefined();
    expect(at(0, 0)).toEqual([16, 32, 48]);
    const [red = 0, , blue = 0] = at(75, 55);
    expect(Math.abs(red - subjectColor[0])).toBeLessThan(6);
    expect(Math.abs(blue - subjectColor[2])).toBeLessThan(12);
  });
});

describe("compose with the background out of focus", () => {
  const inFocus = { kind: "blur" } as const;

  it("leaves no glow of the subject round it", async () => {
    const { bytes } = await compose(zip, {
      format: "png",
      backdrop: { kind: "blur", strength: 100 },
    });

    const { at } = await pixelsOf(bytes);
    for (let x = 0; x < width; x++) {
      if (x >= subject.left && x <= subject.right) continue;
      const off = at(x, 55).map((sample, i) => Math.abs(sample - (hidden[i] ?? 0)));
      expect(Math.max(...off)).toBeLessThan(8);
    }
  });

  it("blurs the more the greater the strength is", async () => {
    const raw = { ...scene, channels: 3 } as const;
    const stripes = plane((x) => (x % 16 < 8 ? 20 : 230));
    const data = await sharp(Buffer.from([...stripes].flatMap((value) => [value, value, value])), {
      raw,
    })
      .jpeg({ quality: 100 })
      .toBuffer();
    const source = zipOf({ name: "color.jpg", data }, { name: "alpha.png", data: matte });

    const contrasts: number[] = [];
    for (const strength of [1, 40, 100]) {
      const { bytes } = await compose(source, {
        format: "png",
        backdrop: { ...inFocus, strength },
      });
      const { at } = await pixelsOf(bytes);
      // The outermost stripe is extended beyond the edge, so only the middle is measured.
      const row = Array.from({ length: 32 }, (_, x) => at(x + 64, 8)[0] ?? 0);
      contrasts.push(Math.max(...row) - Math.min(...row));
    }

    const [least = 0, usual = 0, most = 0] = contrasts;
    expect(least).toBeGreaterThan(usual + 20);
    expect(usual).toBeGreaterThan(most + 5);
  });

  it("fills a picture that is all subject with something", async () => {
    const full = await grey(Buffer.alloc(alpha.length, 254), width, height);
    const source = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: full });

    expect(await compose(source, { format: "auto", backdrop: inFocus })).toMatchObject({
      format: "jpg",
    });
  });

  it("works on a picture of one pixel", async () => {
    const tiny = await cutoutZip(1, 1);

    expect(await compose(tiny, { format: "png", backdrop: inFocus, shadow: {} })).toMatchObject({
      width: 1,
      height: 1,
    });
  });

  it("is refused where the background is gone", async () => {
    expect(await codeOf(compose(png, { format: "auto", backdrop: inFocus }))).toBe(
      "picture_no_background",
    );
  });
});

describe("compose and crop", () => {
  const inner = { width: 50, height: 50 };

  it("cuts down to what is visible, pixel by pixel", async () => {
    const { bytes, ...size } = await compose(zip, { format: "png", crop: { margin: 0 } });

    const whole = await compose(zip, { format: "png" });
    const region = { left: subject.left, top: subject.top, ...inner };
    const wanted = await sharp(whole.bytes).extract(region).raw().toBuffer();
    expect(size).toMatchObject(inner);
    expect((await pixelsOf(bytes)).data.equals(wanted)).toBe(true);
  });

  it.each([
    [7, { width: 64, height: 64 }],
    [35, { width: 120, height: 30 + 50 + 35 }],
    [500, { width, height }],
  ])("keeps a margin of %i as far as the picture goes", async (margin, size) => {
    expect(await compose(zip, { format: "webp", crop: { margin } })).toMatchObject(size);
  });

  it("does not count a haze that nobody sees", async () => {
    const hazy = await grey(Buffer.from(alpha.map((value) => Math.max(value, 5))), width, height);
    const source = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: hazy });

    expect(await compose(source, { format: "png", crop: { margin: 0 } })).toMatchObject(inner);
  });

  it("crops a backdrop with it", async () => {
    const { bytes } = await compose(zip, {
      format: "png",
      crop: { margin: 10 },
      backdrop: { kind: "gradient", from: "#ff0000", to: "#00ff00" },
    });

    const { at } = await pixelsOf(bytes);
    expect([at(0, 0), at(69, 69)]).toEqual([
      [255, 0, 0],
      [0, 255, 0],
    ]);
  });

  it("keeps a wide profile and its colours", async () => {
    const wide = await sharp(color).withIccProfile("p3").jpeg().toBuffer();
    const source = zipOf({ name: "color.jpg", data: wide }, { name: "alpha.png", data: matte });

    const { bytes } = await compose(source, { format: "png", crop: { margin: 0 } });

    const region = { left: subject.left + 10, top: subject.top + 10, width: 20, height: 20 };
    const wanted = await sharp(wide, { ignoreIcc: true }).extract(region).raw().toBuffer();
    const got = await sharp(bytes, { ignoreIcc: true })
      .extract({ left: 10, top: 10, width: 20, height: 20 })
      .removeAlpha()
      .raw()
      .toBuffer();
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(wide).metadata()).icc);
    expect(got.equals(wanted)).toBe(true);
  });

  it("says when nothing is left to see", async () => {
    const empty = await grey(Buffer.alloc(alpha.length, 3), width, height);
    const source = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: empty });

    expect(await codeOf(compose(source, { format: "png", crop: { margin: 5 } }))).toBe(
      "picture_no_subject",
    );
    expect(await compose(source, { format: "png", shadow: {} })).toMatchObject({ width, height });
  });
});

describe("compose with a shadow", () => {
  const shadow = { opacity: 0.6, blur: 0.04, offset: 0.1 };

  it("darkens what is below the subject and nothing far away", async () => {
    const { bytes, ...size } = await compose(zip, { format: "png", shadow });

    const { at } = await pixelsOf(bytes);
    const below = at(75, subject.bottom + 2);
    expect(size).toMatchObject({ width, height });
    expect(below.slice(0, 3)).toEqual([0, 0, 0]);
    expect(below[3]).toBeGreaterThan(100);
    expect(below[3]).toBeLessThanOrEqual(0.6 * 255 + 1);
    expect(at(75, subject.top - 5)).toEqual([0, 0, 0, 0]);
    expect(at(2, 2)).toEqual([0, 0, 0, 0]);
  });

  it("leaves the subject's own pixels as they are", async () => {
    const { bytes } = await compose(zip, { format: "png", shadow });

    const { data } = await pixelsOf(bytes);
    const changed = [...alpha].filter((value, i) => {
      if (value !== 255) return (data[i * 4 + 3] ?? 0) < value;
      const [from, at] = [i * 3, i * 4];
      return [0, 1, 2].some((c) => data[at + c] !== decodedColors[from + c]);
    });
    expect(changed).toEqual([]);
  });

  it("looks the same on a backdrop as laid there afterwards", async () => {
    const own = await compose(zip, {
      format: "png",
      shadow,
      backdrop: { kind: "color", color: "#80a0c0" },
    });
    const layer = await compose(zip, { format: "png", shadow });

    const later = await sharp(layer.bytes, { ignoreIcc: true })
      .flatten({ background: "#80a0c0" })
      .raw()
      .toBuffer();
    expect(furthest((await pixelsOf(own.bytes)).data, [...later])).toBeLessThanOrEqual(2);
  });

  it("fades on every side before a crop cuts it off", async () => {
    const { bytes, ...size } = await compose(zip, { format: "png", shadow, crop: { margin: 0 } });

    const { at } = await pixelsOf(bytes);
    const edges = [
      // The top edge is left out: it shows the subject itself, where its shadow does not reach.
      ...Array.from({ length: size.width }, (_, x) => at(x, size.height - 1)),
      ...Array.from({ length: size.height }, (_, y) => [at(0, y), at(size.width - 1, y)]).flat(),
    ];
    expect(Math.max(...edges.map((pixel) => pixel[3] ?? 0))).toBeLessThan(8);
    expect(size.height).toBeGreaterThan(55);
    expect(size.height).toBeLessThan(75);
  });

  it.each([
    ["without opacity", { opacity: 0 }],
    ["wholly behind the subject", { offset: 0, blur: 0, opacity: 0.001 }],
  ])("shows nothing %s", async (_, given) => {
    const { bytes } = await compose(zip, { format: "png", shadow: given });

    const plain = await compose(zip, { format: "png" });
    expect(furthest((await pixelsOf(bytes)).data, [...(await pixelsOf(plain.bytes)).data])).toBe(0);
  });

  it("takes values beyond all reason as the greatest or least", async () => {
    const shadow = { opacity: 9, blur: 7, offset: 40 };

    expect(await compose(zip, { format: "png", shadow })).toMatchObject({ width, height });
    expect(
      await compose(zip, { format: "jpg", shadow: { opacity: -1, blur: -1, offset: -1 } }),
    ).toMatchObject({ width });
  });

  it("has a hard edge without blur", async () => {
    const { bytes } = await compose(zip, {
      format: "png",
      shadow: { opacity: 1, blur: 0, offset: 0.5 },
    });

    const { at } = await pixelsOf(bytes);
    expect(at(75, subject.bottom + 20)).toEqual([0, 0, 0, 255]);
    expect(at(75, subject.bottom + 25 + 1)).toEqual([0, 0, 0, 0]);
  });
});

describe("compose all at once", async () => {
  const large = await cutoutZip(340, 255);
  const everything = {
    "a shadow, cropped": { crop: { margin: 4 }, shadow: {} },
    "a blur and a shadow, cropped": {
      backdrop: { kind: "blur" },
      shadow: {},
      crop: { margin: 12 },
    },
    "a picture and a shadow": { backdrop: { kind: "picture", bytes: halves }, shadow: {} },
    "a gradient and a black shadow": {
      backdrop: { kind: "gradient", from: "#123456", to: "#abcdef", angle: 33 },
      shadow: { opacity: 1 },
    },
    "a colour, cropped": { backdrop: { kind: "color", color: "#808080" }, crop: { margin: 0 } },
  } as const;

  it.each(
    Object.entries(everything).flatMap(([name, options]) =>
      (["png", "webp", "jpg"] as const).map((format) => [name, format, options] as const),
    ),
  )("fits %s as %s into a limit", async (_, format, given) => {
    const options = { ...given, format };
    const full = await compose(large, options);

    for (const share of [0.96, 0.4]) {
      const maxBytes = Math.floor(full.bytes.length * share);
      const composed = await compose(large, { ...options, maxBytes });

      const found = await sharp(composed.bytes).metadata();
      const isWhole = composed.width === full.width;
      expect(composed.bytes.length).toBeLessThanOrEqual(maxBytes);
      expect(found).toMatchObject({ width: composed.width, height: composed.height });
      expect(found.format).toBe(composed.format.replace("jpg", "jpeg"));
      expect(composed.fitted === "smaller").toBe(!isWhole);
      expect(composed.fitted).not.toBe("asked");
      expect(composed.format).toBe(format === "jpg" ? "jpg" : "webp");
    }
  });
});

describe("compose hides what was removed", () => {
  const ways = [{}, { crop: { margin: 20 } }, { shadow: {} }, { crop: { margin: 20 }, shadow: {} }];

  it.each(
    [["a ZIP", zip] as const, ["a PNG", png] as const].flatMap(([name, bytes]) =>
      ways.flatMap((options) =>
        (["png", "webp"] as const).map((format) => [name, format, options, bytes] as const),
      ),
    ),
  )("in what is made of %s as %s with %o", async (_, format, options, bytes) => {
    const composed = await compose(bytes, { format, ...options });
    const small = await compose(bytes, {
      format,
      ...options,
      maxBytes: composed.bytes.length * 0.8,
    });

    expect(traces(await pixelsOf(composed.bytes))).toBe(0);
    expect(traces(await pixelsOf(small.bytes))).toBe(0);
    const { data } = await pixelsOf((await compose(bytes, { ...options, format: "png" })).bytes);
    const left = [...alpha.keys()].filter(
      (i) => data[i * 4 + 3] === 0 && data.subarray(i * 4, i * 4 + 3).some((sample) => sample > 0),
    );
    expect(left).toEqual([]);
  });

  it("would notice a trace", async () => {
    expect(traces(await pixelsOf(color))).toBeGreaterThan(1_000);
  });
});

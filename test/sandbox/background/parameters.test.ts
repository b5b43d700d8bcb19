import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../../src/sandbox/background/index.ts";
import { post, type Seen, see, subjectOf, twoHalves } from "../../support/removing.ts";

let server: BackgroundServer;
let image: Buffer;

beforeAll(async () => {
  const megapixelsPerMinute = Number.POSITIVE_INFINITY;
  server = await startBackground({ matting: "ellipse", credits: 1000, megapixelsPerMinute });
  image = await twoHalves(200, 150);
});

afterAll(() => server.close());

type Fields = Readonly<Record<string, string>>;

async function remove(
  fields: Fields,
  more: { readonly image?: Uint8Array; readonly files?: Record<string, Uint8Array> } = {},
) {
  const response = await post(server, "removebg", { image, fields, ...more });
  const bytes = await response.bytes();
  expect([response.status, Buffer.from(bytes).toString("latin1", 0, 200)]).toEqual([
    200,
    expect.anything(),
  ]);
  return { bytes, response, subject: subjectOf(response), type: typeOf(response) };
}

function typeOf(response: Response): string | null {
  return response.headers.get("content-type");
}

async function cut(fields: Fields, more: Parameters<typeof remove>[1] = {}) {
  const removed = await remove({ format: "png", ...fields }, more);
  return { ...removed, seen: await see(removed.bytes) };
}

const opacity = (seen: Seen, x: number, y: number): number => seen.at(x, y)[3];

/** The ellipse in a picture of 200 × 150 pixels. */
const whole = { left: 30, top: 15, width: 140, height: 120 };

describe("without parameters, POST /removebg", () => {
  it("keeps the middle, where it is, and clears the rest", async () => {
    const { seen, subject } = await cut({});

    expect([seen.width, seen.height]).toEqual([200, 150]);
    expect(subject).toEqual(whole);
    expect(seen.at(90, 75)).toEqual([255, 136, 0, 255]);
    expect(seen.at(110, 75)).toEqual([0, 136, 255, 255]);
    expect(seen.at(5, 5)).toEqual([0, 0, 0, 0]);
  });
});

describe("crop", () => {
  it("leaves nothing but the subject", async () => {
    const { seen, subject } = await cut({ crop: "true" });

    expect([seen.width, seen.height]).toEqual([140, 120]);
    expect(subject).toEqual({ left: 0, top: 0, width: 140, height: 120 });
    expect(opacity(seen, 70, 60)).toBe(255);
    expect(seen.at(69, 60).slice(0, 3)).toEqual([255, 136, 0]);
  });

  it("is off when it is false", async () => {
    const { seen } = await cut({ crop: "false" });

    expect(seen.width).toBe(200);
  });
});

describe("crop_margin", () => {
  it.each([
    ["10px", { width: 160, height: 140, left: 10, top: 10 }],
    ["10%", { width: 168, height: 144, left: 14, top: 12 }],
    ["5px 20px", { width: 180, height: 130, left: 20, top: 5 }],
    ["1px 2px 3px 4px", { width: 146, height: 124, left: 4, top: 1 }],
    ["100%", { width: 280, height: 240, left: 70, top: 60 }],
  ])("%s stays round the subject, at most half of it a side", async (crop_margin, expected) => {
    const { seen, subject } = await cut({ crop: "true", crop_margin });
    const { left, top } = subject;

    expect({ width: seen.width, height: seen.height, left, top }).toEqual(expected);
    expect([subject.width, subject.height]).toEqual([140, 120]);
    expect(opacity(seen, left + 70, top + 60)).toBe(255);
    expect(opacity(seen, 0, 0)).toBe(0);
  });

  it("does nothing without crop", async () => {
    const { subject } = await cut({ crop_margin: "10px" });

    expect(subject).toEqual(whole);
  });
});

describe("roi", () => {
  it.each([
    ["0% 0% 50% 100%", { ...whole, width: 70 }],
    ["100px 0px 200px 150px", { ...whole, left: 100, width: 70 }],
    ["0% 75px 100% 100%", { ...whole, top: 75, height: 60 }],
  ])("%s is all that can hold foreground", async (roi, expected) => {
    const { seen, subject } = await cut({ roi });
    const outside = [98, 99, 100, 101]
      .flatMap((x) => [74, 75].map((y) => [x, y] as const))
      .filter(([x, y]) => x < subject.left || x >= subject.left + subject.width || y < subject.top);

    expect(subject).toEqual(expected);
    expect(outside.map(([x, y]) => opacity(seen, x, y))).toEqual(outside.map(() => 0));
    expect(opacity(seen, subject.left + 35, subject.top + 30)).toBe(255);
  });

  it("is given in pixels of the original picture, not of a smaller result", async () => {
    const large = await twoHalves(1000, 1000);
    const { seen, subject } = await cut(
      { size: "preview", roi: "500px 0px 1000px 1000px" },
      { image: large },
    );

    expect(seen.width).toBe(500);
    expect(subject.left).toBe(250);
  });
});

describe("scale and position", () => {
  it.each([
    [{ scale: "100%" }, { left: 13, top: 0, width: 175, height: 150 }],
    [{ scale: "50%" }, { left: 56, top: 38, width: 88, height: 75 }],
    [
      { scale: "50%", position: "0%" },
      { left: 0, top: 0, width: 88, height: 75 },
    ],
    [
      { scale: "50%", position: "100% 0%" },
      { left: 112, top: 0, width: 88, height: 75 },
    ],
    [
      { scale: "50%", position: "original" },
      { left: 56, top: 38, width: 88, height: 75 },
    ],
    [{ position: "0%" }, { ...whole, left: 0, top: 0 }],
    [{ position: "0% 100%" }, { ...whole, left: 0, top: 30 }],
    [{ position: "center" }, whole],
    [{ scale: "original", position: "original" }, whole],
  ])("%j puts the subject at %j", async (fields, expected) => {
    const { seen, subject } = await cut(fields);
    const { left, top, width, height } = subject;

    expect([seen.width, seen.height]).toEqual([200, 150]);
    expect(subject).toEqual(expected);
    expect(opacity(seen, left + Math.floor(width / 2), top + Math.floor(height / 2))).toBe(255);
    // The subject's two halves still meet in its middle.
    expect(seen.at(left + Math.floor(width / 4), top + Math.floor(height / 2))).toEqual([
      255, 136, 0, 255,
    ]);
    expect(seen.at(left + Math.ceil((width * 3) / 4), top + Math.floor(height / 2))).toEqual([
      0, 136, 255, 255,
    ]);
  });

  it("take the canvas as the crop leaves it", async () => {
    const { seen, subject } = await cut({ crop: "true", crop_margin: "50%", scale: "100%" });

    expect([seen.width, seen.height]).toEqual([280, 240]);
    expect(subject).toEqual({ left: 0, top: 0, width: 280, height: 240 });
  });
});

describe("backgrounds", () => {
  it.each([
    ["81d4fa", [129, 212, 250, 255]],
    ["#fff", [255, 255, 255, 255]],
    ["teal", [0, 128, 128, 255]],
    ["ff000080", [255, 0, 0, 128]],
  ])("bg_color=%s lies behind the subject", async (bg_color, color) => {
    const { seen } = await cut({ bg_color });

    expect(seen.at(2, 2)).toEqual(color);
    expect(seen.at(90, 75)).toEqual([255, 136, 0, 255]);
  });

  it("bg_image_file covers the canvas, centred, its proportions kept", async () => {
    const behind = await twoHalves(300, 1000);
    const { seen } = await cut({}, { files: { bg_image_file: behind } });

    expect(seen.at(2, 2)).toEqual([255, 136, 0, 255]);
    expect(seen.at(197, 147)).toEqual([0, 136, 255, 255]);
  });

  it("bg_image_url is fetched from this machine", async () => {
    const behind = await sharp(await twoHalves(20, 20))
      .negate({ alpha: false })
      .png()
      .toBuffer();
    const host = createServer((_, answer) => answer.end(behind)).listen(0, "127.0.0.1");
    await once(host, "listening");
    const bg_image_url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/b.png`;
    const { seen } = await cut({ bg_image_url });
    host.close();

    expect(seen.at(2, 2)).toEqual([0, 119, 255, 255]);
  });
});

describe("channels=alpha", () => {
  it("gives the grey matte of the subject alone, whatever would lie behind", async () => {
    const { bytes } = await cut({ channels: "alpha", bg_color: "fff" });
    const { channels, hasAlpha } = await sharp(bytes).metadata();
    const seen = await see(bytes);

    expect([channels, hasAlpha]).toEqual([1, false]);
    expect([seen.at(100, 75)[0], seen.at(2, 2)[0]]).toEqual([255, 0]);
  });
});

describe("size", () => {
  let large: Buffer;
  beforeAll(async () => {
    large = await twoHalves(2000, 1000);
  });

  it.each([
    ["preview", 0.25],
    ["small", 0.25],
    ["regular", 0.25],
    ["medium", 1.5],
    ["hd", 2],
    ["full", 2],
    ["4k", 2],
    ["auto", 2],
    ["50MP", 2],
  ])("%s makes at most %f megapixels of two", async (size, megapixels) => {
    const fields = { size, format: "jpg", channels: "alpha" };
    const { response } = await remove(fields, { image: large });
    const [width, height] = ["x-width", "x-height"].map((name) =>
      Number(response.headers.get(name)),
    );
    const pixels = (width ?? 0) * (height ?? 0);

    expect(pixels).toBeLessThanOrEqual(megapixels * 1e6);
    expect(pixels).toBeGreaterThan(megapixels * 1e6 * 0.99);
    expect(response.headers.get("x-max-width")).toBe("2000");
    expect(response.headers.get("x-max-height")).toBe("1000");
  });

  it("stops at 10 megapixels for PNG", async () => {
    const flat = { width: 4_200, height: 2_500, channels: 3, background: "#f80" } as const;
    const larger = await sharp({ create: flat }).jpeg().toBuffer();
    const fields = { size: "full", format: "png", channels: "alpha" };
    const { response } = await remove(fields, { image: larger });
    const [width, height] = ["x-width", "x-height"].map((name) => response.headers.get(name));

    expect(Number(width) * Number(height)).toBeLessThanOrEqual(10_000_000);
    expect(Number(width)).toBeGreaterThan(4080);
  });
});

describe("format", () => {
  it.each([
    [{ format: "png" }, "image/png"],
    [{ format: "jpg" }, "image/jpeg"],
    [{ format: "webp" }, "image/webp"],
    [{ format: "zip" }, "application/zip"],
    [{ format: "auto" }, "image/png"],
    [{}, "image/png"],
    [{ format: "auto", bg_color: "fff" }, "image/jpeg"],
    [{ format: "auto", bg_color: "fff8" }, "image/png"],
    [{ format: "auto", bg_color: "fff", channels: "alpha" }, "image/png"],
  ])("%j comes as %s", async (fields: Fields, type) => {
    expect((await remove(fields)).type).toBe(type);
  });

  it("jpg is on white when nothing lies behind", async () => {
    const { bytes } = await remove({ format: "jpg" });

    expect((await see(bytes)).at(2, 2)).toEqual([255, 255, 255, 255]);
  });

  it("zip holds the colours, background and all, and the matte", async () => {
    const files = unzipSync((await remove({ format: "zip" })).bytes);
    const [color, alpha] = await Promise.all(
      ["color.jpg", "alpha.png"].map((name) => see(files[name] ?? new Uint8Array())),
    );

    expect(Object.keys(files)).toEqual(["color.jpg", "alpha.png"]);
    expect([alpha?.at(2, 2)[0], alpha?.at(90, 75)[0]]).toEqual([0, 255]);
    expect(color?.at(2, 2).map((value) => Math.round(value / 16))).toEqual([16, 9, 0, 16]);
  });
});

describe("type and type_level", () => {
  it.each([
    [{}, "other"],
    [{ type: "car" }, "car"],
    [{ type: "graphic", type_level: "2" }, "graphics"],
    [{ type: "transportation", type_level: "1" }, "other"],
    [{ type: "car", type_level: "none" }, null],
  ])("%j is answered with X-Type %s", async (fields: Fields, type) => {
    expect((await remove(fields)).response.headers.get("x-type")).toBe(type);
  });
});

describe("semitransparency", () => {
  it.each(["true", "false"])("%s is accepted", async (semitransparency) => {
    expect((await remove({ semitransparency })).response.status).toBe(200);
  });
});

describe("shadows", () => {
  /** Points below the ellipse, to its right, and far from it. */
  const places = { below: [100, 138], beside: [172, 80], far: [5, 5] } as const;
  const shades = (seen: Seen) =>
    Object.values(places).map(([x, y]) => {
      const [red, green, blue, alpha] = seen.at(x, y);
      expect([red, green, blue]).toEqual([0, 0, 0]);
      return alpha;
    });

  it.each([
    ["none", {}, [0, 0, 0]],
    ["none", { shadow_type: "none" }, [0, 0, 0]],
    ["below and beside", { shadow_type: "drop" }, [expect.any(Number), expect.any(Number), 0]],
    ["on the ground", { shadow_type: "3D" }, [expect.any(Number), 0, 0]],
    ["on the ground", { shadow_type: "car" }, [expect.any(Number), 0, 0]],
  ])("are %s with %j", async (_, fields: Fields, expected) => {
    const { seen, subject } = await cut(fields);
    const seenShades = shades(seen);

    expect(seenShades).toEqual(expected);
    expect(seenShades.filter((shade) => shade > 0).length).toBe(
      expected.filter((shade) => shade !== 0).length,
    );
    expect(subject).toEqual(whole);
    expect(seen.at(90, 75)).toEqual([255, 136, 0, 255]);
  });

  it("are as dark as requested", async () => {
    const below = await Promise.all(
      ["0", "30", "100"].map(async (shadow_opacity) => {
        const { seen } = await cut({ shadow_type: "car", shadow_opacity });
        return opacity(seen, 100, 137);
      }),
    );
    const [none = -1, some = -1, most = -1] = below;

    expect(none).toBe(0);
    expect(some / most).toBeCloseTo(0.3, 1);
    expect(most).toBeGreaterThan(200);
  });

  it("are soft: their opacity falls little by little", async () => {
    const { seen } = await cut({ shadow_type: "car" });
    const down = [136, 138, 140, 142, 144].map((y) => opacity(seen, 100, y));

    expect(down).toEqual([...down].sort((a, b) => b - a));
    expect(new Set(down).size).toBe(down.length);
  });

  it("are part of alpha.png and black in color.jpg", async () => {
    const files = unzipSync((await remove({ format: "zip", shadow_type: "car" })).bytes);
    const matte = await see(files["alpha.png"] ?? new Uint8Array());
    const color = await see(files["color.jpg"] ?? new Uint8Array());

    expect(matte.at(100, 138)[0]).toBeGreaterThan(50);
    expect(matte.at(100, 138)[0]).toBeLessThan(250);
    expect(Math.max(...color.at(100, 138).slice(0, 3))).toBeLessThan(40);
  });

  it("fall on the backdrop", async () => {
    const { seen } = await cut({ shadow_type: "car", bg_color: "fff" });

    expect(seen.at(100, 138)[0]).toBeLessThan(200);
    expect(seen.at(2, 2)).toEqual([255, 255, 255, 255]);
  });

  it("go only to the type that is named, which add_shadow does for cars", async () => {
    const fields = [
      { type: "car", "shadow_type[car]": "car" },
      { type: "person", "shadow_type[car]": "car" },
      { type: "car", add_shadow: "true" },
      { type: "person", add_shadow: "true" },
    ];
    const below = await Promise.all(
      fields.map(async (one) => opacity((await cut(one)).seen, 100, 138) > 0),
    );

    expect(below).toEqual([true, false, true, false]);
  });

  it("are alike at every resolution", async () => {
    const large = await cut(
      { size: "full", shadow_type: "drop" },
      { image: await twoHalves(800, 600) },
    );
    const small = await cut({ shadow_type: "drop" });
    const differences = [
      [172, 80],
      [100, 138],
      [150, 130],
    ].map(([x = 0, y = 0]) =>
      Math.abs(opacity(large.seen, x * 4 + 2, y * 4 + 2) - opacity(small.seen, x, y)),
    );

    expect(Math.max(...differences)).toBeLessThan(12);
  });

  it("stay in a cropped picture", async () => {
    const { seen, subject } = await cut({ crop: "true", shadow_type: "drop" });

    expect(subject).toMatchObject({ top: 0, width: 140, height: 120 });
    expect(seen.width).toBeGreaterThan(140);
    expect(seen.height).toBeGreaterThan(120);
    expect(opacity(seen, 70, 121)).toBeGreaterThan(20);
  });
});

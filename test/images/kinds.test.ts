import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { fitPicture } from "../../src/images/fit/fit-picture.ts";
import { prepareForService } from "../../src/images/fit/prepare.ts";
import { avifKinds } from "./kinds/avif-kinds.ts";
import { gifKinds } from "./kinds/gif-kinds.ts";
import { jpegKinds } from "./kinds/jpeg-kinds.ts";
import type { PictureKind, Refused, Seen } from "./kinds/kind.ts";
import { pngKinds } from "./kinds/png-kinds.ts";
import { tiffKinds } from "./kinds/tiff-kinds.ts";
import { webpKinds } from "./kinds/webp-kinds.ts";

const roomy = { maxBytes: 12e6, maxPixels: 50e6 };

const kinds = [...jpegKinds, ...pngKinds, ...gifKinds, ...webpKinds, ...avifKinds, ...tiffKinds];
/** No destination is smaller. */
const leastSide = 16;
const isPlaceable = ({ expected }: PictureKind) =>
  "pixels" in expected && expected.height >= leastSide;
const isRead = ({ expected }: PictureKind) => "pixels" in expected;
const asRead = (kind: PictureKind) => [kind.name, kind.make, kind.expected as Seen] as const;
const asRefused = (kind: PictureKind) => [kind.name, kind.make, kind.expected as Refused] as const;

type Make = PictureKind["make"];
const prepare = (bytes: Buffer) => prepareForService(bytes, roomy);
const prepared = new Map<Make, ReturnType<typeof prepare>>();

/** Prepares each kind once for all its tests. */
function preparedOf(make: Make) {
  const made = prepared.get(make) ?? Promise.resolve(make()).then(prepare);
  prepared.set(make, made);
  return made;
}

const channelsOf = ({ pixels, width, height }: Seen) => pixels.length / (width * height);

/** The pixels as people see them: where a pixel is transparent, its colour does not count. */
async function seenIn(bytes: Buffer, channels: number): Promise<Buffer> {
  const pipeline = sharp(bytes).toColourspace("srgb");
  const opened = channels === 4 ? pipeline.ensureAlpha() : pipeline.removeAlpha();
  return blanked(await opened.raw().toBuffer(), channels);
}

function blanked(pixels: Buffer, channels: number): Buffer {
  if (channels !== 4) return pixels;
  const shown = Buffer.from(pixels);
  for (let at = 0; at < shown.length; at += 4) if (shown[at + 3] === 0) shown.fill(0, at, at + 3);
  return shown;
}

function distance(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

describe("a sound picture", () => {
  it.each(kinds.filter(isRead).map(asRead))(
    "comes out with the colours it shows: %s",
    async (_, make, expected) => {
      const channels = channelsOf(expected);

      const { bytes, width, height } = await preparedOf(make);

      expect([width, height]).toEqual([expected.width, expected.height]);
      const seen = await seenIn(bytes, channels);
      expect(distance(seen, blanked(expected.pixels, channels))).toBeLessThan(expected.within);
      expect(bytes.includes("CANARY")).toBe(false);
    },
  );

  it.each(kinds.filter(isRead).map(asRead))(
    "is taken again, as it came out: %s",
    async (_, make) => {
      const { bytes, format } = await preparedOf(make);

      const again = await prepare(bytes);

      expect([again.fitted, again.format, again.bytes.equals(bytes)]).toEqual([
        "unchanged",
        format,
        true,
      ]);
    },
  );

  it.each(kinds.filter(isPlaceable).map(asRead))(
    "keeps its colours in a place: %s",
    async (_, make, expected) => {
      const { width, height, pixels } = expected;
      const channels = channelsOf(expected);
      const place = { width, height, shape: "cover", maxBytes: 1e6 } as const;

      const fitted = await fitPicture(await make(), {
        ...place,
        format: "png",
      });

      const seen = await seenIn(fitted.bytes, channels);
      expect(distance(seen, blanked(pixels, channels))).toBeLessThan(expected.within + 2);
    },
  );
});

describe("a picture that can't be read", () => {
  it.each(kinds.filter((kind) => !isRead(kind)).map(asRefused))(
    "is refused by its name: %s",
    async (_, make, { code, feature }) => {
      const error = await prepare(await make()).catch((reason: unknown) => reason);

      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({ code, ...(feature && { facts: { feature } }) });
    },
  );
});

import sharp, { type Sharp } from "sharp";
import {
  avifOf,
  type Coded,
  codedOf,
  filmOf,
  fullBox,
  imir,
  irot,
  ispe,
  pixi,
  type StillPlan,
} from "./avif-writer.ts";
import { named, type PictureKind, read, refused } from "./kind.ts";
import {
  bytesOf,
  clear,
  clearColors,
  colored,
  colors,
  grey,
  greys,
  height,
  shade,
  turned,
  width,
} from "./scene.ts";

const best = { effort: 0, quality: 95 } as const;
const seen = { pixels: colors } as const;
const coded = async (pipeline: Sharp): Promise<Coded> =>
  codedOf(await pipeline.avif(best).toBuffer());

async function still(...props: readonly Buffer[]): Promise<Buffer> {
  const { data, av1C } = await coded(colored());
  return avifOf({ items: [{ type: "av01", data, props: [av1C, ispe(), pixi(), ...props] }] });
}

/** A still picture, and a sequence of it and its negative. */
async function film(brands: readonly string[], more: Partial<StillPlan> = {}): Promise<Buffer> {
  const frames = [await coded(colored()), await coded(colored().negate())];
  const items = frames.map(({ data, av1C }) => ({
    type: "av01" as const,
    data,
    props: [av1C, ispe(), pixi()],
  }));
  return avifOf({ brands, items, film: filmOf(frames), ...more });
}

const side = 64;
const whole = 2 * side;
const large = bytesOf(
  Array.from({ length: whole * whole * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % whole, Math.floor(i / 3 / whole)];
    return shade((x * (width - 1)) / (whole - 1), (y * (height - 1)) / (whole - 1), i % 3);
  }),
);
const largeRaw = { width: whole, height: whole, channels: 3 } as const;

/** One picture made of four tiles: ISO/IEC 23008-12, 6.6.2.3. */
async function grid(): Promise<Buffer> {
  const quarters = [
    [0, 0],
    [side, 0],
    [0, side],
    [side, side],
  ] as const;
  const tiles = await Promise.all(
    quarters.map(([left, top]) =>
      coded(sharp(large, { raw: largeRaw }).extract({ left, top, width: side, height: side })),
    ),
  );
  const data = Buffer.from([0, 0, 1, 1, 0, whole, 0, whole]);
  const items = tiles.map((tile) => ({
    type: "av01" as const,
    data: tile.data,
    props: [tile.av1C, ispe(side, side), pixi()],
    isHidden: true,
  }));
  return avifOf({
    items: [{ type: "grid", data, props: [ispe(whole, whole), pixi()] }, ...items],
    references: [{ type: "dimg", from: 1, to: [2, 3, 4, 5] }],
  });
}

async function withAlpha(): Promise<Buffer> {
  const { data, av1C } = await coded(colored());
  const mask = await coded(clear().extractChannel("alpha").toColourspace("b-w"));
  const auxiliary = fullBox(
    "auxC",
    0,
    0,
    Buffer.from("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"),
  );
  return avifOf({
    items: [
      { type: "av01", data, props: [av1C, ispe(), pixi()] },
      { type: "av01", data: mask.data, props: [mask.av1C, ispe(), auxiliary], isHidden: true },
    ],
    references: [{ type: "auxl", from: 2, to: [1] }],
  });
}

export const avifKinds: readonly PictureKind[] = [
  ...([8, 10, 12] as const).flatMap((bitdepth) =>
    [false, true].map((lossless) =>
      read(
        `AVIF, ${bitdepth} bits${lossless ? ", lossless" : ""}`,
        () =>
          colored()
            .avif({ ...best, bitdepth, lossless })
            .toBuffer(),
        seen,
      ),
    ),
  ),
  read(
    "AVIF, colours at a quarter",
    () =>
      colored()
        .avif({ ...best, chromaSubsampling: "4:2:0" })
        .toBuffer(),
    seen,
  ),
  read("AVIF, grey", () => grey().avif(best).toBuffer(), { pixels: greys }),
  read("AVIF, with alpha", () => clear().avif(best).toBuffer(), { pixels: clearColors }),
  read("AVIF, alpha beside it", withAlpha, { pixels: clearColors }),
  read("AVIF, with a profile", () => colored().avif(best).withIccProfile("p3").toBuffer(), seen),
  read("AVIF, put together by hand", () => still(), seen),
  read("AVIF, turned by a quarter", () => still(irot(3)), turned(6)),
  read("AVIF, turned by a half", () => still(irot(2)), turned(3)),
  read("AVIF, mirrored", () => still(imir(1)), turned(2)),
  read("AVIF, grid", grid, {
    pixels: large,
    width: whole,
    height: whole,
  }),
  read(
    "AVIF, animated, as libavif writes it",
    () => film(["avis", "avif", "avis", "msf1", "iso8", "mif1", "miaf", "MA1A"]),
    seen,
  ),
  read(
    "AVIF, animated, still brand first",
    () => film(["avif", "avis", "msf1", "mif1", "miaf"]),
    seen,
  ),
  read("AVIF, animated, sequence brands alone", () => film(["avis", "msf1", "iso8"]), seen),
  read("AVIF, animated, open brand first", () => film(["msf1", "avis", "iso8"]), seen),
  named("AVIF, film alone", () => film(["avis", "msf1", "iso8"], { hasNoStill: true }), "film"),
  refused("AVIF, half of it", async () => (await still()).subarray(0, 330), "picture_truncated"),
];

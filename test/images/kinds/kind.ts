import { height, width } from "./scene.ts";

/** One kind of file, and what must become of it. */
export interface PictureKind {
  readonly name: string;
  readonly make: () => Promise<Buffer> | Buffer;
  readonly expected: Seen | Refused;
}

/** What people see, in 8-bit sRGB: three channels, or four where parts are transparent. */
export interface Seen {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  /** The largest mean difference that a sample may have. */
  readonly within: number;
}

export interface Refused {
  readonly code: string;
  readonly feature?: string;
}

type Make = PictureKind["make"];

/** Most are converted to JPEG, which is off by one or two. */
const usual = { width, height, within: 3 } as const;

export function read(
  name: string,
  make: Make,
  { pixels, ...rest }: Pick<Seen, "pixels"> & Partial<Seen>,
): PictureKind {
  return { name, make, expected: { ...usual, pixels, ...rest } };
}

/** A kind that is refused by name. */
export function named(name: string, make: Make, feature: string): PictureKind {
  return { name, make, expected: { code: "picture_unsupported", feature } };
}

export function refused(name: string, make: Make, code: string): PictureKind {
  return { name, make, expected: { code } };
}

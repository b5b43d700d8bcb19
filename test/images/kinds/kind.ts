import { height, width } from "./scene.ts";

/** One kind of file, and what becomes of it. */
export interface PictureKind {
  readonly name: string;
  readonly make: () => Promise<Buffer> | Buffer;
  readonly expected: Seen | Refused;
}

/** What people see of it, in sRGB of 8 bits: three channels, or four where something shows through. */
export interface Seen {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  /** Largest mean difference of a sample. */
  readonly within: number;
}

export interface Refused {
  readonly code: string;
  readonly feature?: string;
}

type Make = PictureKind["make"];

/** JPEG, into which most are turned, errs by one or two. */
const usual = { width, height, within: 3 } as const;

export function read(
  name: string,
  make: Make,
  { pixels, ...rest }: Pick<Seen, "pixels"> & Partial<Seen>,
): PictureKind {
  return { name, make, expected: { ...usual, pixels, ...rest } };
}

/** Refused with its own words for what it is. */
export function named(name: string, make: Make, feature: string): PictureKind {
  return { name, make, expected: { code: "picture_unsupported", feature } };
}

export function refused(name: string, make: Make, code: string): PictureKind {
  return { name, make, expected: { code } };
}

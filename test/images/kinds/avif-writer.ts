import { height, width } from "./scene.ts";

/** One coded picture: its AV1 data, and the box that says how it is coded. */
export interface Coded {
  readonly data: Buffer;
  readonly av1C: Buffer;
}

/** A box of the ISO container format: ISO/IEC 14496-12, 4.2. */
export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

export function fullBox(
  type: string,
  version: number,
  flags: number,
  ...content: Buffer[]
): Buffer {
  return box(type, u32((version << 24) | flags), ...content);
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, i * 4);
  return bytes;
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

interface Found {
  readonly type: string;
  readonly start: number;
  readonly body: Buffer;
}

function boxesIn(bytes: Buffer, from = 0): readonly Found[] {
  const found: Found[] = [];
  for (let start = from; start + 8 <= bytes.length; start += bytes.readUInt32BE(start)) {
    const body = bytes.subarray(start + 8, start + bytes.readUInt32BE(start));
    found.push({ type: bytes.toString("latin1", start + 4, start + 8), start, body });
  }
  return found;
}

/** Takes the coded picture out of an AVIF that our own encoder wrote. */
export function codedOf(avif: Buffer): Coded {
  const at = avif.indexOf("av1C") - 4;
  const data = boxesIn(avif).find(({ type }) => type === "mdat")?.body ?? Buffer.alloc(0);
  return { data, av1C: avif.subarray(at, at + avif.readUInt32BE(at)) };
}

interface Item {
  readonly type: "av01" | "grid" | "Exif";
  readonly data: Buffer;
  readonly props: readonly Buffer[];
  readonly isHidden?: boolean;
}

export interface StillPlan {
  readonly brands?: readonly string[];
  /** The first item is the picture. */
  readonly items: readonly Item[];
  /** References of this type from one item to others, numbered from 1. */
  readonly references?: readonly {
    readonly type: string;
    readonly from: number;
    readonly to: readonly number[];
  }[];
  /** A sequence, written between the description and the data. */
  readonly film?: (dataStart: number) => Buffer;
  readonly hasNoStill?: boolean;
}

export const ispe = (w = width, h = height) => fullBox("ispe", 0, 0, u32(w, h));
export const pixi = () => fullBox("pixi", 0, 0, Buffer.from([3, 8, 8, 8]));
/** How many quarter turns to the left. */
export const irot = (turns: number) => box("irot", Buffer.from([turns]));
export const imir = (axis: number) => box("imir", Buffer.from([axis]));

/** Writes an AVIF from coded pictures: ISO/IEC 23008-12. */
export function avifOf(plan: StillPlan): Buffer {
  const [major = "avif"] = plan.brands ?? [];
  const brands = plan.brands ?? ["avif", "mif1", "miaf"];
  const ftyp = box("ftyp", Buffer.from(major), u32(0), Buffer.from(brands.join("")));
  const meta = (start: number) => (plan.hasNoStill ? Buffer.alloc(0) : metaOf(plan, start));
  const film = plan.film ?? (() => Buffer.alloc(0));
  const start = ftyp.length + meta(0).length + film(0).length + 8;
  const data = box("mdat", ...plan.items.map((item) => item.data));
  return Buffer.concat([ftyp, meta(start), film(start), data]);
}

function metaOf({ items, references = [] }: StillPlan, start: number): Buffer {
  const props = items.flatMap((item) => item.props);
  let [offset, first] = [start, 1];
  const places: Buffer[] = [];
  const uses: Buffer[] = [];
  for (const [i, { data, props: own }] of items.entries()) {
    places.push(u16(i + 1, 0, 1), u32(offset, data.length));
    uses.push(u16(i + 1), Buffer.from([own.length, ...own.map((_, n) => 0x80 | (first + n))]));
    offset += data.length;
    first += own.length;
  }
  const infos = items.map(({ type, isHidden }, i) =>
    fullBox("infe", 2, isHidden ? 1 : 0, u16(i + 1, 0), Buffer.from(`${type}\0`)),
  );
  const links = references.map(({ type, from, to }) => box(type, u16(from, to.length, ...to)));
  return fullBox(
    "meta",
    0,
    0,
    fullBox("hdlr", 0, 0, u32(0), Buffer.from("pict"), Buffer.alloc(13)),
    fullBox("pitm", 0, 0, u16(1)),
    fullBox("iloc", 0, 0, Buffer.from([0x44, 0]), u16(items.length), ...places),
    fullBox("iinf", 0, 0, u16(items.length), ...infos),
    ...(links.length > 0 ? [fullBox("iref", 0, 0, ...links)] : []),
    box("iprp", box("ipco", ...props), fullBox("ipma", 0, 0, u32(items.length), ...uses)),
  );
}

/** A sequence of frames whose data follow one another from `dataStart` on. */
export function filmOf(frames: readonly Coded[]): (dataStart: number) => Buffer {
  const [first] = frames;
  const lasts = 1_000 * frames.length;
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  return (dataStart) => {
    let at = dataStart;
    const offsets = frames.map(({ data }) => {
      at += data.length;
      return at - data.length;
    });
    const head = [Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(width, height)];
    const rest = [u32(0x480000, 0x480000, 0), u16(1), Buffer.alloc(32), u16(0x18, 0xffff)];
    const entry = box("av01", ...head, ...rest, first?.av1C ?? Buffer.alloc(0));
    const count = frames.length;
    const table = box(
      "stbl",
      fullBox("stsd", 0, 0, u32(1), entry),
      fullBox("stts", 0, 0, u32(1, count, 1_000)),
      fullBox("stsc", 0, 0, u32(1, 1, 1, 1)),
      fullBox("stsz", 0, 0, u32(0, count, ...frames.map(({ data }) => data.length))),
      fullBox("stco", 0, 0, u32(count, ...offsets)),
    );
    const place = box("dinf", fullBox("dref", 0, 0, u32(1), fullBox("url ", 0, 1)));
    const media = box("minf", fullBox("vmhd", 0, 1, Buffer.alloc(8)), place, table);
    const handler = fullBox("hdlr", 0, 0, u32(0), Buffer.from("pict"), Buffer.alloc(13));
    const header = fullBox("mdhd", 0, 0, u32(0, 0, 1_000, lasts), u16(0x55c4, 0));
    const size = u32(width * 65_536, height * 65_536);
    const track = fullBox("tkhd", 0, 7, u32(0, 0, 1, 0, lasts, 0, 0, 0, 0), matrix, size);
    const movie = [u32(0, 0, 1_000, lasts, 0x10000), u16(0x100, 0), u32(0, 0), matrix];
    return box(
      "moov",
      fullBox("mvhd", 0, 0, ...movie, Buffer.alloc(24), u32(2)),
      box("trak", track, box("mdia", header, handler, media)),
    );
  };
}

import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { mutate, type Random, withSums } from "./mutations.ts";
import { cutoutZip, grey, noise, oval, photo, type ZipEntry, zipOf } from "./pictures.ts";

export const kinds = ["jpeg", "png", "webp", "gif", "avif", "tiff", "zip"] as const;
export type Kind = (typeof kinds)[number];

/** Valid files of each kind for mutations to start from, covering the variants that decoders treat differently. */
export async function seedFiles(): Promise<Readonly<Record<Kind, readonly Buffer[]>>> {
  const plain = photo(120, 90);
  const clear = photo(120, 90).ensureAlpha(0.5);
  const tagged = plain
    .clone()
    .withExif({ IFD0: { Artist: "someone" } })
    .withIccProfile("p3");
  const frames = { raw: { width: 40, height: 90, channels: 3, pageHeight: 30 } } as const;
  const film = sharp(noise(40 * 90 * 3), frames);
  const wide = plain.clone().toColourspace("rgb16");
  const made = {
    jpeg: [
      tagged.clone().jpeg(),
      plain.clone().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }),
      plain.clone().greyscale().jpeg().withMetadata({ orientation: 6 }),
      // Decoding CMYK takes a hundred times as long as RGB.
      plain.clone().toColourspace("cmyk").jpeg(),
    ],
    png: [
      tagged.clone().png(),
      clear.clone().png({ progressive: true }),
      plain.clone().png({ palette: true }),
      wide.clone().png(),
    ],
    webp: [
      tagged.clone().webp(),
      clear.clone().webp(),
      plain.clone().webp({ lossless: true }),
      film.clone().webp(),
    ],
    gif: [plain.clone().gif(), film.clone().gif()],
    avif: [
      plain.clone().avif({ effort: 0, quality: 95 }),
      clear.clone().avif({ effort: 0, quality: 80 }),
    ],
    tiff: [
      tagged.clone().tiff({ compression: "lzw" }),
      plain.clone().tiff({ compression: "jpeg" }),
      clear.clone().tiff({ compression: "deflate", tile: true, tileWidth: 64, tileHeight: 64 }),
      film.clone().tiff({ compression: "none" }),
    ],
  };
  const buffers = async (pipelines: readonly Sharp[]) =>
    Promise.all(pipelines.map((pipeline) => pipeline.toBuffer()));
  return {
    jpeg: await buffers(made.jpeg),
    png: await buffers(made.png),
    webp: await buffers(made.webp),
    gif: await buffers(made.gif),
    avif: await buffers(made.avif),
    tiff: await buffers(made.tiff),
    zip: [await cutoutZip(120, 90)],
  };
}

/** The entries of a result, for mutations inside a ZIP that is itself intact. */
export async function seedEntries(): Promise<{ readonly color: Buffer; readonly alpha: Buffer }> {
  const color = await photo(120, 90).jpeg({ quality: 90 }).toBuffer();
  return { color, alpha: await grey(oval(120, 90), 120, 90) };
}

export interface Seeds {
  readonly files: Readonly<Record<Kind, readonly Buffer[]>>;
  readonly entries: { readonly color: Buffer; readonly alpha: Buffer };
}

export function mutant(kind: Kind, seeds: Seeds, random: Random): Buffer {
  if (kind === "zip" && random() < 0.6) return mutantResult(seeds, random);
  const files = seeds.files[kind];
  // The first files are chosen more often than the last.
  const file = files[Math.floor(random() ** 3 * files.length)] ?? Buffer.alloc(0);
  const damaged = mutate(file, random);
  return kind === "png" && random() < 0.6 ? withSums(damaged) : damaged;
}

/** Damage that checksums don't reveal: in a picture, or in what the directory says about it. */
function mutantResult({ entries }: Seeds, random: Random): Buffer {
  const isDeflated = random() < 0.5;
  const inColor = random() < 0.5;
  const lies = random() < 0.2 && { declaredBytes: Math.floor(2 ** (random() * 32)) };
  const alpha = inColor ? entries.alpha : withSums(mutate(entries.alpha, random));
  return zipOf(
    { name: "color.jpg", data: inColor ? mutate(entries.color, random) : entries.color, ...lies },
    { name: "alpha.png", data: alpha, isDeflated, ...lies },
  );
}

/** A PNG chunk without its checksum, which `withSums` adds. */
export function chunk(name: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(name, 4, "latin1");
  data.copy(whole, 8);
  return whole;
}

/** A valid picture with one bit for each pixel, in a single colour. */
export function oneBitPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return withSums(
    Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

export interface NamedFile {
  readonly name: string;
  readonly kind: Kind;
  readonly bytes: Buffer;
}

const profileBytes = 50_000_000;

export interface ClaimedTiff {
  readonly width: number;
  readonly height: number;
  readonly bits?: number;
  readonly samples?: number;
  readonly compression?: number;
  /** The length that its only strip claims; the true one when absent. */
  readonly stripBytes?: number;
  readonly data?: Buffer;
}

/** A TIFF with one strip and the given tags. */
export function claimedTiff(claim: ClaimedTiff): Buffer {
  const { width, height, bits = 8, samples = 1, compression = 5, data = Buffer.alloc(8) } = claim;
  const start = 10 + 9 * 12 + 4;
  const fields = [
    [256, width],
    [257, height],
    [258, bits],
    [259, compression],
    [262, 1],
    [273, start],
    [277, samples],
    [278, height],
    [279, claim.stripBytes ?? data.length],
  ] as const;
  const head = Buffer.alloc(start);
  head.write("II*\0\x08\0\0\0\x09\0", "latin1");
  for (const [at, [tag, value]] of fields.entries()) {
    head.writeUInt16LE(tag, 10 + at * 12);
    head.writeUInt16LE(4, 12 + at * 12);
    head.writeUInt32LE(1, 14 + at * 12);
    head.writeUInt32LE(value, 18 + at * 12);
  }
  return Buffer.concat([head, data]);
}

/** Pictures made to do harm, one by one; `part`, at most 1, scales down how much. */
export async function hostilePictures(part: number): Promise<readonly NamedFile[]> {
  const png = await photo(64, 64).png().toBuffer();
  const jpeg = await photo(64, 64).jpeg().toBuffer();
  const webp = await photo(64, 64).webp().withIccProfile("p3").toBuffer();
  const gif = await photo(64, 64).gif().toBuffer();
  const tiff = await photo(64, 64).tiff().toBuffer();
  const avif = await photo(64, 64).avif({ effort: 0 }).toBuffer();
  const frames = { raw: { width: 20, height: 400, channels: 3, pageHeight: 20 } } as const;
  const profile = noise(profileBytes * part);
  const side = (pixels: number) => Math.round(pixels * Math.sqrt(part));
  const times = (count: number) => Math.ceil(count * part);
  return [
    { name: "16383 x 16383 of one bit", kind: "png", bytes: oneBitPng(16_383, 16_383) },
    { name: "49 megapixels of one bit", kind: "png", bytes: oneBitPng(side(7_000), side(7_000)) },
    { name: "74 megapixels of one bit", kind: "png", bytes: oneBitPng(side(8_600), side(8_600)) },
    { name: "PNG of 75,000,000 x 1", kind: "png", bytes: oneBitPng(times(75_000_000), 1) },
    { name: "PNG of 1 x 75,000,000", kind: "png", bytes: oneBitPng(1, times(75_000_000)) },
    {
      name: "TIFF of one row of 75,000,000",
      kind: "tiff",
      bytes: claimedTiff({ width: 75_000_000, height: 1 }),
    },
    {
      name: "TIFF of 75,000,000 rows",
      kind: "tiff",
      bytes: claimedTiff({ width: 1, height: 75_000_000 }),
    },
    {
      name: "TIFF of 8600 x 8600 in 8 bytes",
      kind: "tiff",
      bytes: claimedTiff({ width: 8_600, height: 8_600, bits: 64, compression: 8 }),
    },
    {
      name: "TIFF that is all fax",
      kind: "tiff",
      bytes: claimedTiff({ width: side(8_600), height: side(8_600), bits: 1, compression: 4 }),
    },
    {
      name: "4400 x 4400 AVIF full of noise",
      kind: "avif",
      bytes: await grainy(side(4_400), 3)
        .avif({ effort: 0, quality: 60, chromaSubsampling: "4:2:0" })
        .toBuffer(),
    },
    {
      name: "4400 x 4400 WebP without loss",
      kind: "webp",
      bytes: await grainy(side(4_400), 3).webp({ lossless: true, effort: 0 }).toBuffer(),
    },
    {
      name: "animated WebP",
      kind: "webp",
      bytes: await sharp(noise(24_000), frames).webp().toBuffer(),
    },
    {
      name: "animated GIF",
      kind: "gif",
      bytes: await sharp(noise(24_000), frames).gif().toBuffer(),
    },
    { name: "PNG with a profile of 50 MB", kind: "png", bytes: withProfile(png, profile) },
    {
      name: "PNG with 50 MB of zeros as profile",
      kind: "png",
      bytes: withProfile(png, Buffer.alloc(profile.length)),
    },
    { name: "WebP with a profile of 50 MB", kind: "webp", bytes: webpWithProfile(webp, profile) },
    { name: "JPEG with a profile of 16 MB", kind: "jpeg", bytes: jpegWithProfile(jpeg, profile) },
    {
      name: "JPEG that claims 65500 x 4000",
      kind: "jpeg",
      bytes: claimedJpeg(jpeg, 65_500, 4_000),
    },
    {
      name: "JPEG of a thousand scans",
      kind: "jpeg",
      bytes: await manyScans(side(7_000), times(1_000)),
    },
    {
      name: "JPEG of millions of comments",
      kind: "jpeg",
      bytes: Buffer.concat([jpeg.subarray(0, 2), repeated("\xff\xfe\0\x02", times(25_000_000))]),
    },
    {
      name: "100 MB of stuffed bytes behind a JPEG's start",
      kind: "jpeg",
      bytes: Buffer.concat([jpeg.subarray(0, -2), repeated("\xff\0", times(49_000_000))]),
    },
    {
      name: "WebP of millions of chunks",
      kind: "webp",
      bytes: webpOf(webp, repeated("ABCD\0\0\0\0", times(12_000_000))),
    },
    {
      name: "GIF of a million frames",
      kind: "gif",
      bytes: Buffer.concat([
        gif.subarray(0, -1),
        repeated(",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0", times(1_000_000)),
        gif.subarray(-1),
      ]),
    },
    {
      name: "AVIF of millions of boxes",
      kind: "avif",
      bytes: Buffer.concat([avif, repeated("\0\0\0\x08free", times(12_000_000))]),
    },
    { name: "GIF that claims 65535 x 65535", kind: "gif", bytes: claimedGif(gif, 65_535, 65_535) },
    { name: "GIF that claims 7000 x 7000", kind: "gif", bytes: claimedGif(gif, 7_000, 7_000) },
    { name: "TIFF whose directory comes back to itself", kind: "tiff", bytes: circularTiff(tiff) },
    { name: "PNG of 60,000 chunks of text", kind: "png", bytes: manyChunks(png, times(60_000)) },
    {
      name: "100 MB of nothing behind a PNG's first bytes",
      kind: "png",
      bytes: Buffer.concat([png.subarray(0, 33), Buffer.alloc(times(100_000_000))]),
    },
    {
      name: "100 MB of 0xff behind a JPEG's first bytes",
      kind: "jpeg",
      bytes: Buffer.concat([jpeg.subarray(0, 200), Buffer.alloc(times(100_000_000), 0xff)]),
    },
  ];
}

/** As much detail as a photo of that size, because detail is what takes decoders time. */
function grainy(side: number, channels: 3 | 4): Sharp {
  const quarter = Math.ceil(side / 4);
  const raw = { width: quarter, height: quarter, channels } as const;
  return sharp(noise(quarter * quarter * channels), { raw }).resize(side, side, { fit: "fill" });
}

function withProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([
    Buffer.from("icc\0\0", "latin1"),
    deflateSync(profile, { level: 1 }),
  ]);
  return withSums(Buffer.concat([png.subarray(0, 33), chunk("iCCP", content), png.subarray(33)]));
}

function webpWithProfile(webp: Buffer, profile: Buffer): Buffer {
  const at = webp.indexOf("ICCP");
  const end = at + 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) & 1);
  const head = Buffer.from(webp.subarray(at, at + 8));
  head.writeUInt32LE(profile.length, 4);
  const grown = Buffer.concat([webp.subarray(0, at), head, profile, webp.subarray(end)]);
  grown.writeUInt32LE(grown.length - 8, 4);
  return grown;
}

function webpOf(webp: Buffer, more: Buffer): Buffer {
  const grown = Buffer.concat([webp, more]);
  grown.writeUInt32LE(grown.length - 8, 4);
  return grown;
}

function repeated(part: string, times: number): Buffer {
  return Buffer.alloc(part.length * times, Buffer.from(part, "latin1"));
}

function jpegWithProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const segments = Array.from({ length: 255 }, (_, i) => {
    const head = Buffer.from(
      `\xff\xe2\xff\xffICC_PROFILE\0${String.fromCharCode(i + 1)}\xff`,
      "latin1",
    );
    return Buffer.concat([head, profile.subarray(i * 65_519, (i + 1) * 65_519)]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

function claimedJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const lying = Buffer.from(jpeg);
  const at = lying.indexOf(Buffer.from([0xff, 0xc0]));
  lying.writeUInt16BE(height, at + 5);
  lying.writeUInt16BE(width, at + 7);
  return lying;
}

/** Repeats the last scan of a progressive JPEG: each pass goes over every block. */
async function manyScans(side: number, count: number): Promise<Buffer> {
  const jpeg = await sharp({
    create: { width: side, height: side, channels: 3, background: "#369" },
  })
    .jpeg({ progressive: true })
    .toBuffer();
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(last, jpeg.length - 2);
  const copies = Array<Buffer>(Math.min(count, Math.floor(90e6 / scan.length))).fill(scan);
  return Buffer.concat([jpeg.subarray(0, -2), ...copies, jpeg.subarray(-2)]);
}

function claimedGif(gif: Buffer, width: number, height: number): Buffer {
  const lying = Buffer.from(gif);
  for (const at of [6, lying.indexOf(0x2c, 13) + 5]) {
    lying.writeUInt16LE(width, at);
    lying.writeUInt16LE(height, at + 2);
  }
  return lying;
}

function circularTiff(tiff: Buffer): Buffer {
  const lying = Buffer.from(tiff);
  const directory = lying.readUInt32LE(4);
  lying.writeUInt32LE(directory, directory + 2 + lying.readUInt16LE(directory) * 12);
  return lying;
}

function manyChunks(png: Buffer, count: number): Buffer {
  const text = chunk("tEXt", Buffer.from("Comment\0x"));
  const all = Array<Buffer>(count).fill(text);
  return withSums(Buffer.concat([png.subarray(0, 33), ...all, png.subarray(33)]));
}

/** Repeats the directory's entries, though the directory still claims to have two. */
export function manyEntries(zip: Buffer, times: number): Buffer {
  const end = zip.length - 22;
  const start = zip.readUInt32LE(end + 16);
  const directory = zip.subarray(start, end);
  const many = Buffer.alloc(directory.length * times, directory);
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt32LE(many.length, 12);
  return Buffer.concat([zip.subarray(0, start), many, tail]);
}

/**
 * An extra field of negative length in the 64-bit end of the archive: a reader that adds the length goes in circles.
 */
export function backwards(zip: Buffer): Buffer {
  const at = zip.indexOf("PK\x06\x06");
  const field = Buffer.from([1, 0, 0xfa, 0xff, 0xff, 0xff]);
  const hostile = Buffer.concat([zip.subarray(0, at + 56), field, zip.subarray(at + 56)]);
  hostile.writeUInt32LE(44 + field.length, at + 4);
  return hostile;
}

/** Results made to do harm, or that claim to be something else; two of them inflate to `bombBytes`. */
export async function hostileResults(bombBytes: number): Promise<readonly NamedFile[]> {
  const { color, alpha } = await seedEntries();
  const [jpg, png]: readonly [ZipEntry, ZipEntry] = [
    { name: "color.jpg", data: color },
    { name: "alpha.png", data: alpha },
  ];
  const otherAlpha = async (pipeline: Sharp) =>
    zipOf(jpg, { ...png, data: await pipeline.png().toBuffer() });
  const bomb = Buffer.alloc(bombBytes);
  const large = zipOf(jpg, { ...png, data: oneBitPng(16_383, 16_383), isDeflated: true });
  const many = Array.from({ length: 65_000 }, (_, i) => ({
    name: `${i}.png`,
    data: alpha.subarray(0, 1),
  }));
  const files: Readonly<Record<string, Buffer>> = {
    "no alpha.png": zipOf(jpg),
    "no color.jpg": zipOf(png),
    "an entry more": zipOf(jpg, png, { name: "more.txt", data: Buffer.from("x") }),
    "color.jpg twice": zipOf(jpg, jpg, png),
    "a ZIP in a ZIP": zipOf(jpg, { ...png, data: zipOf(jpg, png) }),
    "65,000 entries": zipOf(...many, jpg, png),
    "10 bytes declared, many inflated": zipOf(jpg, {
      ...png,
      data: bomb,
      isDeflated: true,
      declaredBytes: 10,
    }),
    "far too many bytes inflated": zipOf(jpg, { ...png, data: bomb, isDeflated: true }),
    "4 GiB declared": zipOf(jpg, { ...png, declaredBytes: 0xffff_ffff }),
    "sizes that differ": zipOf(jpg, { ...png, data: await grey(oval(90, 120), 90, 120) }),
    "16-bit alpha": await otherAlpha(photo(120, 90).greyscale().toColourspace("grey16")),
    "RGB alpha": await otherAlpha(photo(120, 90)),
    "alpha with alpha": await otherAlpha(photo(120, 90).ensureAlpha(0.5)),
    "CMYK colours": zipOf(
      { ...jpg, data: await photo(120, 90).toColourspace("cmyk").jpeg().toBuffer() },
      png,
    ),
    "grey colours": zipOf(
      { ...jpg, data: await photo(120, 90).greyscale().jpeg().toBuffer() },
      png,
    ),
    "a colour that is cut": zipOf({ ...jpg, data: color.subarray(0, color.length / 2) }, png),
    "an alpha that is cut": zipOf(jpg, { ...png, data: alpha.subarray(0, alpha.length / 2) }),
    "a wrong sum": zipOf(jpg, { ...png, crc: 1 }),
    "an alpha of 268 megapixels": large,
    "pictures swapped": zipOf({ ...jpg, data: alpha }, { ...png, data: color }),
    "no entry": zipOf(),
    ZIP64: zipOf({ ...jpg, isWide: true }, { ...png, isWide: true, isDeflated: true }),
    "300,000 entries behind a count of two": manyEntries(zipOf(jpg, png), 150_000),
    "a ZIP64 end that goes backwards": backwards(zipOf({ ...jpg, isWide: true }, png)),
  };
  return Object.entries(files).map(([name, bytes]) => ({ name, kind: "zip", bytes }));
}

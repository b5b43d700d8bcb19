/** What a TrueType file says about its letters: https://learn.microsoft.com/typography/opentype/spec/otff */
export interface Glyphs {
  has(letter: string): boolean;
  /** How wide a text is, in shares of the letters' size; kerning is left out. */
  advance(text: string): number;
}

type GlyphLookup = (codePoint: number) => number;

/** Windows and Unicode tables with all planes are preferred to those with the first plane only. */
const charMaps = [
  { platform: 3, encoding: 10 },
  { platform: 0, encoding: 4 },
  { platform: 3, encoding: 1 },
  { platform: 0, encoding: 3 },
] as const;

const missingGlyph = 0;

/** Reads a font that comes with the program: it is trusted, and a fault in it throws. */
export function readGlyphs(font: Buffer): Glyphs {
  const table = readTables(font);
  const lookup = readCharMap(font, table("cmap"));
  const unitsPerSize = font.readUInt16BE(table("head") + 18);
  const widths = font.readUInt16BE(table("hhea") + 34);
  const metrics = table("hmtx");
  return {
    has: (letter) => lookup(letter.codePointAt(0) ?? 0) !== missingGlyph,
    advance(text) {
      const glyphs = Array.from(text, (letter) => lookup(letter.codePointAt(0) ?? 0));
      // Glyphs beyond the last width have that width.
      const units = glyphs.map((glyph) =>
        font.readUInt16BE(metrics + 4 * Math.min(glyph, widths - 1)),
      );
      return units.reduce((sum, width) => sum + width, 0) / unitsPerSize;
    },
  };
}

function readTables(font: Buffer): (name: string) => number {
  const count = font.readUInt16BE(4);
  const starts = new Map<string, number>();
  for (let row = 12; row < 12 + 16 * count; row += 16) {
    starts.set(font.toString("latin1", row, row + 4), font.readUInt32BE(row + 8));
  }
  return (name) => {
    const start = starts.get(name);
    if (start === undefined) throw new TypeError(`the font has no table ${name}`);
    return start;
  };
}

function readCharMap(font: Buffer, start: number): GlyphLookup {
  const rows = Array.from({ length: font.readUInt16BE(start + 2) }, (_, i) => start + 4 + 8 * i);
  for (const { platform, encoding } of charMaps) {
    const row = rows.find(
      (at) => font.readUInt16BE(at) === platform && font.readUInt16BE(at + 2) === encoding,
    );
    if (row === undefined) continue;
    const at = start + font.readUInt32BE(row + 4);
    const read = readers[font.readUInt16BE(at)];
    if (read !== undefined) return read(font, at);
  }
  throw new TypeError("the font has no character map that is read here");
}

const readers: Readonly<Record<number, (font: Buffer, at: number) => GlyphLookup>> = {
  4: readFirstPlane,
  12: readAllPlanes,
};

/** Format 4: segments of the first plane, by their last code. */
function readFirstPlane(font: Buffer, at: number): GlyphLookup {
  const doubled = font.readUInt16BE(at + 6);
  const ends = at + 14;
  const starts = ends + doubled + 2;
  const deltas = starts + doubled;
  const ranges = deltas + doubled;
  return (code) => {
    for (let segment = 0; segment < doubled; segment += 2) {
      if (code > font.readUInt16BE(ends + segment)) continue;
      const first = font.readUInt16BE(starts + segment);
      if (code < first) return missingGlyph;
      const delta = font.readUInt16BE(deltas + segment);
      const range = font.readUInt16BE(ranges + segment);
      if (range === 0) return (code + delta) & 0xffff;
      const glyph = font.readUInt16BE(ranges + segment + range + 2 * (code - first));
      return glyph === missingGlyph ? missingGlyph : (glyph + delta) & 0xffff;
    }
    return missingGlyph;
  };
}

/** Format 12: groups of 32-bit codes in order. */
function readAllPlanes(font: Buffer, at: number): GlyphLookup {
  const groups = font.readUInt32BE(at + 12);
  return (code) => {
    let [low, high] = [0, groups - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const group = at + 16 + 12 * middle;
      const first = font.readUInt32BE(group);
      if (code < first) high = middle - 1;
      else if (code > font.readUInt32BE(group + 4)) low = middle + 1;
      else return font.readUInt32BE(group + 8) + code - first;
    }
    return missingGlyph;
  };
}

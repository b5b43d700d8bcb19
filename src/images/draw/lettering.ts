import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Sharp } from "../sharp.ts";
import type { LineFlags } from "./emphasis.ts";
import { type Glyphs, readGlyphs, type TextExtent } from "./glyphs.ts";

/** How much of each pixel is covered, 0 to 255: one channel, rows from the top. */
export interface Mask {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** One font, and what it can write. */
export interface Lettering {
  readonly measure: Glyphs["measure"];
  /** A text as it can be written with this font: in one line, without the characters that are listed as missing. */
  readonly writable: (text: string) => WritableText;
  /** Draws lines of letters of that size in pixels; cut to the ink. Undefined when there is none. */
  readonly draw: (
    sharp: Sharp,
    lines: readonly string[],
    look: LetteringStyle,
  ) => Promise<DrawnLetters | undefined>;
}

export interface DrawnLetters extends Mask {
  /** The emphasised letters alone, in a mask of the same size. */
  readonly emphasised?: Buffer;
}

interface WritableText {
  readonly text: string;
  /** Each once, in the order of the text. */
  readonly missing: readonly string[];
}

interface LetteringStyle {
  readonly size: number;
  readonly align?: "left" | "centre" | "right";
  /** Which letters of the lines are emphasised. */
  readonly flags?: LineFlags;
}

// The machine may have no font at all.
const faces = {
  /** For titles: heavy, and it writes Latin, Cyrillic, Greek and Japanese. */
  display: {
    family: "Dela Gothic One",
    address: "@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf",
    ownLineHeight: 1.448,
  },
  /** For small labels and numbers: Latin, Cyrillic and Greek. */
  text: {
    family: "Open Sans SemiBold",
    address: "@expo-google-fonts/open-sans/600SemiBold/OpenSans_600SemiBold.ttf",
    ownLineHeight: 1.362,
  },
} as const;

type FontFace = keyof typeof faces;

const notoSansBlack = (script: string, writes: RegExp) => ({
  writes,
  family: `Noto Sans ${script} Black`,
  address: `@expo-google-fonts/noto-sans-${script.toLowerCase()}/900Black/NotoSans${script}_900Black.ttf`,
});

/** Fonts for what those above lack, read only when a text needs them. All are heavy. */
const furtherFonts = [
  {
    writes: /\p{Script=Hangul}/u,
    family: "Black Han Sans",
    address: "@expo-google-fonts/black-han-sans/400Regular/BlackHanSans_400Regular.ttf",
  },
  notoSansBlack("Thai", /\p{Script=Thai}/u),
  notoSansBlack("Arabic", /\p{Script=Arabic}/u),
  notoSansBlack("Hebrew", /\p{Script=Hebrew}/u),
  notoSansBlack("Devanagari", /\p{Script=Devanagari}/u),
  {
    // In one colour, as all letters are.
    writes: /\p{Emoji}/u,
    family: "Noto Emoji",
    address: "@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf",
  },
];

/** Line height as a share of the letters' size. The fonts' own is made for running text, not for titles. */
export const lineHeight = 1.12;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that draw nothing: controls, direction marks, joiners, halves of surrogate pairs, variation selectors. */
const shapeless = /[\p{C}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800]/gu;
/** The same except for the joiners, which change the shape of emoji and of joined letters. */
const shapelessAmongJoined =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Most characters of a grapheme. More than two marks on a letter only spill over its neighbours; joined letters and emoji need more. */
const mostMarked = 3;
const mostJoined = 12;

interface OpenedFont extends Glyphs {
  readonly family: string;
  readonly fontfile: string;
  /** Whether characters are joined, so that a grapheme may be long. */
  readonly isJoining: boolean;
}

const openedFonts = new Map<string, Promise<OpenedFont>>();

function openFont(
  { family, address }: { readonly family: string; readonly address: string },
  { isJoining }: Pick<OpenedFont, "isJoining">,
): Promise<OpenedFont> {
  const opened = openedFonts.get(address) ?? readFont();
  openedFonts.set(address, opened);
  return opened;

  async function readFont(): Promise<OpenedFont> {
    const fontfile = fileURLToPath(import.meta.resolve(address));
    return { ...readGlyphs(await readFile(fontfile)), family, fontfile, isJoining };
  }
}

/** Reads a font on first use, and the further fonts that these texts need. */
export async function openLettering(
  face: FontFace = "display",
  texts: readonly string[] = [],
): Promise<Lettering> {
  const base = await openFont(faces[face], { isJoining: false });
  const lacking = texts
    .flatMap((text) => Array.from(text.normalize("NFC")))
    .filter((letter) => !hasLetter(base, letter));
  const further = furtherFonts.filter(({ writes }) => lacking.some((one) => writes.test(one)));
  const fonts = await Promise.all(further.map((font) => openFont(font, { isJoining: true })));
  return createLettering([base, ...fonts], faces[face].ownLineHeight);
}

/** The font for labels, unless it lacks a character of them. */
export async function letteringFor(texts: readonly string[]): Promise<Lettering> {
  const text = await openLettering("text");
  const isWhole = texts.every((one) => text.writable(one).missing.length === 0);
  return isWhole ? text : openLettering("display", texts);
}

type LetteringFonts = readonly [OpenedFont, ...OpenedFont[]];

function createLettering(fonts: LetteringFonts, ownLineHeight: number): Lettering {
  const [base] = fonts;

  function writable(original: string): WritableText {
    const missing = new Set<string>();
    const whole = original.normalize("NFC").replace(/\s+/gu, " ");
    const kept = Array.from(graphemes.segment(whole), ({ segment }) => {
      const shape = fonts.map((font) => shapeIn(font, segment)).find((one) => one !== undefined);
      if (shape === undefined) missing.add(segment);
      return shape ?? "";
    });
    const text = kept.join("").replace(/ +/gu, " ").trim();
    return { text, missing: [...missing] };
  }

  const fontOf = (segment: string) =>
    fonts.find((font) => shapeIn(font, segment) !== undefined) ?? base;

  function measure(text: string): TextExtent {
    const parts = Array.from(graphemes.segment(text), ({ segment }) => {
      const font = fontOf(segment);
      // An emoji of several parts is drawn as one.
      return font.measure(segment.split("\u200d", 1)[0] ?? "");
    });
    return {
      advance: parts.reduce((sum, { advance }) => sum + advance, 0),
      ascent: Math.max(0, ...parts.map(({ ascent }) => ascent)),
      descent: Math.min(0, ...parts.map(({ descent }) => descent)),
    };
  }

  async function draw(
    sharp: Sharp,
    lines: readonly string[],
    { size, align = "left", flags }: LetteringStyle,
  ) {
    if (lines.join("").trim() === "") return undefined;
    for (const font of fonts.slice(1)) await register(sharp, font);
    const familyOf = (segment: string) => {
      const font = fontOf(segment);
      return font === base ? undefined : font.family;
    };
    const marked = lines.map((line, i) => markLine(line, familyOf, flags?.[i]));
    const text = `<span line_height="${lineHeight / ownLineHeight}">${marked.join("\n")}</span>`;
    const font = `${base.family} ${Math.max(1, Math.round(size))}`;
    const { data, info } = await sharp({
      text: { text, font, fontfile: base.fontfile, align, rgba: true, dpi: 72, wrap: "none" },
    })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const masks = splitLetters(data);
    const { width, height } = info;
    return { data: masks.all, width, height, ...(flags && { emphasised: masks.emphasised }) };
  }

  return { measure, writable, draw };
}

function hasLetter({ has }: OpenedFont, letter: string): boolean {
  return has(letter.codePointAt(0) ?? 0);
}

/** The part of a grapheme that has a shape, if the font has all of it. */
function shapeIn(font: OpenedFont, segment: string): string | undefined {
  const [left, most] = font.isJoining
    ? [segment.replace(shapelessAmongJoined, ""), mostJoined]
    : [segment.replace(shapeless, ""), mostMarked];
  const shape = Array.from(left).slice(0, most);
  const isWhole = shape.every((one) => hasLetter(font, one) || (font.isJoining && isJoiner(one)));
  return isWhole ? shape.join("") : undefined;
}

function isJoiner(letter: string): boolean {
  return letter === "\u200c" || letter === "\u200d";
}

const registered = new Set<string>();

/** sharp takes one font file for a text; it finds other fonts by name once this process has opened their files. */
async function register(sharp: Sharp, { family, fontfile }: OpenedFont): Promise<void> {
  if (registered.has(fontfile)) return;
  await sharp({ text: { text: ".", font: `${family} 8`, fontfile, rgba: true } })
    .raw()
    .toBuffer();
  registered.add(fontfile);
}

/** Emphasised letters are drawn in white and all others in black, to tell them apart in what was drawn. */
function markLine(
  line: string,
  familyOf: (segment: string) => string | undefined,
  flags: readonly boolean[] = [],
): string {
  const runs: { text: string; readonly tag: string }[] = [];
  for (const { segment, index } of graphemes.segment(line)) {
    const family = familyOf(segment);
    const isEmphasised = index >= flags.indexOf(true) && index <= flags.lastIndexOf(true);
    const tag = [
      ...(family === undefined ? [] : [` font_family="${family}"`]),
      ...(isEmphasised ? [' foreground="#ffffff"'] : []),
    ].join("");
    const last = runs.at(-1);
    if (last?.tag === tag) last.text += segment;
    else runs.push({ text: segment, tag });
  }
  return runs
    .map(({ text, tag }) =>
      tag === "" ? escapeMarkup(text) : `<span${tag}>${escapeMarkup(text)}</span>`,
    )
    .join("");
}

function splitLetters(rgba: Buffer): { readonly all: Buffer; readonly emphasised: Buffer } {
  const all = Buffer.alloc(rgba.length / 4);
  const emphasised = Buffer.alloc(all.length);
  for (let i = 0; i < all.length; i++) {
    const alpha = rgba[i * 4 + 3] ?? 0;
    all[i] = alpha;
    if ((rgba[i * 4] ?? 0) > 127) emphasised[i] = alpha;
  }
  return { all, emphasised };
}

/** Lines are Pango markup, so people's text has to be escaped. */
function escapeMarkup(line: string): string {
  return line.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;");
}

import { readFile } from "node:fs/promises";
import { type Glyphs, readGlyphs } from "./glyphs.ts";

/** The fonts that write a text, and what they can write. */
export interface Lettering {
  /** Their names, for Pango and for an SVG's `font-family`: a letter is taken from the first font that has it. */
  readonly families: string;
  readonly advance: Glyphs["advance"];
  /** A text as it can be written with these fonts: in one line, without the characters that are listed as missing. */
  readonly writable: (text: string) => WritableText;
}

interface WritableText {
  readonly text: string;
  /** Each once, in the order of the text. */
  readonly missing: readonly string[];
}

// Fonts come with the program because the machine may have none. fonts.conf lists their folders.
const faces = {
  /** For titles: heavy, and it writes Latin, Cyrillic, Greek and Japanese. */
  display: {
    family: "Dela Gothic One",
    file: "dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf",
  },
  /** For small labels and numbers: Latin, Cyrillic and Greek. */
  text: {
    family: "Open Sans SemiBold",
    file: "open-sans/600SemiBold/OpenSans_600SemiBold.ttf",
  },
} as const;

const notoSansBlack = (script: string, writes: RegExp) => ({
  writes,
  family: `Noto Sans ${script} Black`,
  file: `noto-sans-${script.toLowerCase()}/900Black/NotoSans${script}_900Black.ttf`,
});

/** Fonts for what those above lack, read only when a text needs them. All are heavy. */
const furtherFonts = [
  {
    writes: /\p{Script=Hangul}/u,
    family: "Black Han Sans",
    file: "black-han-sans/400Regular/BlackHanSans_400Regular.ttf",
  },
  notoSansBlack("Thai", /\p{Script=Thai}/u),
  notoSansBlack("Arabic", /\p{Script=Arabic}/u),
  notoSansBlack("Hebrew", /\p{Script=Hebrew}/u),
  notoSansBlack("Devanagari", /\p{Script=Devanagari}/u),
  {
    // In one colour, as all letters are.
    writes: /\p{Emoji}/u,
    family: "Noto Emoji",
    file: "noto-emoji/700Bold/NotoEmoji_700Bold.ttf",
  },
];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that draw nothing: controls, direction marks, joiners, halves of surrogate pairs, variation selectors. */
const shapeless = /[\p{C}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800]/gu;
/** The same except for the joiners and the sign that makes an emoji of a digit: they change the shape of what is joined. */
const shapelessAmongJoined =
  /(?!\ufe0f)[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

const joiners = /\u200c|\u200d|\ufe0f/u;

/** Most characters of a grapheme. More than two marks on a letter only spill over its neighbours; joined letters and emoji need more. */
const mostMarked = 3;
const mostJoined = 12;

interface OpenFont extends Glyphs {
  readonly family: string;
  /** Whether characters are joined, so that a grapheme may be long. */
  readonly isJoining: boolean;
}

const openFonts = new Map<string, Promise<OpenFont>>();

function openFont(
  { family, file }: { readonly family: string; readonly file: string },
  { isJoining }: Pick<OpenFont, "isJoining">,
): Promise<OpenFont> {
  const address = new URL(import.meta.resolve(`@expo-google-fonts/${file}`));
  const opened =
    openFonts.get(family) ??
    readFile(address).then((font) => ({ ...readGlyphs(font), family, isJoining }));
  openFonts.set(family, opened);
  return opened;
}

/** Reads a font on first use, and the further fonts that these texts need. */
export async function openLettering(
  face: keyof typeof faces,
  texts: readonly string[],
): Promise<Lettering> {
  const fonts = [await openFont(faces[face], { isJoining: false })];
  const isLacking = (letter: string) => fonts.every((font) => !font.has(letter));
  const letters = [...texts.join("").normalize("NFC")];
  if (face === "text" && letters.some(isLacking))
    fonts.push(await openFont(faces.display, { isJoining: false }));
  const lacking = letters.filter(isLacking);
  for (const font of furtherFonts) {
    if (lacking.some((letter) => font.writes.test(letter)))
      fonts.push(await openFont(font, { isJoining: true }));
  }
  return createLettering(fonts);
}

function createLettering(fonts: readonly OpenFont[]): Lettering {
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

  function advance(text: string): number {
    const parts = Array.from(graphemes.segment(text), ({ segment }) => {
      const font = fonts.find((one) => shapeIn(one, segment) !== undefined);
      // An emoji of several parts is drawn as one.
      const [first = ""] = segment.replace(/\ufe0f/gu, "").split("\u200d", 1);
      return font?.advance(first) ?? 0;
    });
    return parts.reduce((sum, part) => sum + part, 0);
  }

  return { families: fonts.map(({ family }) => family).join(", "), advance, writable };
}

/** The part of a grapheme that has a shape, if the font has all of it. */
function shapeIn(font: OpenFont, segment: string): string | undefined {
  const [left, most] = font.isJoining
    ? [segment.replace(shapelessAmongJoined, ""), mostJoined]
    : [segment.replace(shapeless, ""), mostMarked];
  const shape = Array.from(left).slice(0, most);
  const isWhole = shape.every(
    (letter) => font.has(letter) || (font.isJoining && joiners.test(letter)),
  );
  return isWhole ? shape.join("") : undefined;
}

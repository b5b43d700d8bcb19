import type { PictureDimensions } from "../size.ts";

/** Line height as a share of the letters' size. The fonts' own is made for running text, not for titles. */
export const lineHeight = 1.12;

/** Lines of a title and the size of its letters in pixels. */
export interface TitleLines {
  readonly lines: readonly string[];
  readonly size: number;
}

interface TitleBox extends PictureDimensions {
  readonly largest: number;
  /** Below this a long word is broken rather than the whole title made smaller. */
  readonly readable: number;
}

/** What stays together on a line; `gap` goes before it, but not at the start of a line. */
interface Piece {
  readonly text: string;
  readonly gap: "" | " ";
  /** Where a word was broken, it shows at the end of the line. */
  readonly mark: "" | "-";
}

type Advance = (text: string) => number;

const mostLines = 4;
/** A further line has to make the letters larger by this much to be worth it. */
const worthwhile = 1.04;
/** A word is broken only where the letters become larger by this much. */
const worthBreaking = 1.25;

/** Scripts that are written without spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u;
/** Scripts whose letters join, so that a word can't be broken, and those that need no hyphen. */
const joined = /[\p{Script=Arabic}\p{Script=Devanagari}]/u;
const unhyphenated = /[\p{Script=Hangul}\p{Script=Hebrew}]/u;
/** Endings and particles, which are not separated from the word before them. */
const leaning = /^[\p{Script=Hiragana}ー\p{P}\p{S}]+$/u;
/** If a run of them has to be broken after all, only these still stay with the text before them. */
const particle = /^(?:[\p{Script=Hiragana}ー]|[\p{P}\p{S}]+)$/u;
const opening = /^[\p{Ps}\p{Pi}]+$/u;

const words = new Intl.Segmenter("ja", { granularity: "word" });
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Breaks a title so that its letters become as large as the box allows. `advance` is in shares of the size. */
export function breakTitle(text: string, box: TitleBox, advance: Advance): TitleLines {
  const pieces = text
    .split(" ")
    .flatMap((word) => split({ text: word, gap: " ", mark: "" }, leaning));
  const whole = largestLines(pieces, box, advance);
  if (whole.size >= box.readable) return whole;
  const isTooWide = ({ text }: Piece) => advance(text) * box.readable > box.width;
  const loose = pieces.flatMap((piece) => (isTooWide(piece) ? split(piece, particle) : [piece]));
  const loosened = largestLines(loose, box, advance);
  if (loosened.size >= box.readable) return loosened;
  const broken = largestLines(
    loose.flatMap((piece) => (isTooWide(piece) ? breakWord(piece) : [piece])),
    box,
    advance,
  );
  return [loosened, broken].find(({ size }) => size > whole.size * worthBreaking) ?? whole;
}

/** Splits text that is written without spaces into its words, but not before endings and particles. */
function split(piece: Piece, leans: RegExp): readonly Piece[] {
  if (!unspaced.test(piece.text)) return [piece];
  const parts: string[] = [];
  let isOpen = false;
  for (const { segment } of words.segment(piece.text)) {
    const last = parts.length - 1;
    const joins = last >= 0 && (isOpen || leans.test(segment)) && !opening.test(segment);
    if (joins) parts[last] += segment;
    else parts.push(segment);
    isOpen = opening.test(segment);
  }
  return parts.map((text, i) => (i === 0 ? { ...piece, text } : { text, gap: "", mark: "" }));
}

/** A word that would not fit on a line at a readable size, letter by letter. */
function breakWord(piece: Piece): readonly Piece[] {
  if (joined.test(piece.text)) return [piece];
  const letters = Array.from(graphemes.segment(piece.text), ({ segment }) => segment);
  return letters.map((letter, i) => {
    const isInside =
      i < letters.length - 1 &&
      /^\p{L}$/u.test(letter) &&
      !unspaced.test(letter) &&
      !unhyphenated.test(letter);
    return { text: letter, gap: i === 0 ? piece.gap : "", mark: isInside ? "-" : "" };
  });
}

function largestLines(pieces: readonly Piece[], box: TitleBox, advance: Advance): TitleLines {
  let found: TitleLines | undefined;
  for (let count = 1; count <= Math.min(mostLines, pieces.length); count++) {
    const lines = balance(pieces, count, advance);
    const widest = Math.max(...lines.map(advance));
    const size = Math.min(box.width / widest, box.height / (count * lineHeight), box.largest);
    if (found === undefined || size > found.size * worthwhile) found = { lines, size };
  }
  return found ?? { lines: [], size: 0 };
}

/** Breaks the pieces into `count` lines, so that the widest line is as narrow as possible. */
function balance(pieces: readonly Piece[], count: number, advance: Advance): readonly string[] {
  /** `narrowest[i]`: the narrowest way to set the pieces from i on, for the number of lines so far. */
  let narrowest = pieces.map((_, start) => setLine(pieces, start, pieces.length, advance));
  for (let lines = 2; lines <= count; lines++) {
    const rest = narrowest;
    narrowest = pieces.map((_, start) => {
      let chosen = narrowest[start] as LineSet;
      for (let end = start + 1; end < pieces.length; end++) {
        const first = setLine(pieces, start, end, advance);
        const after = rest[end];
        if (after === undefined || first.width >= chosen.width) break;
        const width = Math.max(first.width, after.width);
        if (width < chosen.width) chosen = { width, lines: [...first.lines, ...after.lines] };
      }
      return chosen;
    });
  }
  return narrowest[0]?.lines ?? [];
}

interface LineSet {
  readonly width: number;
  readonly lines: readonly string[];
}

function setLine(pieces: readonly Piece[], start: number, end: number, advance: Advance): LineSet {
  const line = pieces.slice(start, end);
  const text = line.map((piece, i) => (i === 0 ? piece.text : piece.gap + piece.text)).join("");
  const isCut = end < pieces.length && pieces[end]?.gap === "";
  const whole = text + (isCut ? (line.at(-1)?.mark ?? "") : "");
  return { width: advance(whole), lines: [whole] };
}

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Sharp } from "../sharp.ts";
import { type Glyphs, readGlyphs } from "./glyphs.ts";

/** How much of a place is covered, 0 to 255: one channel, rows from the top. */
export interface Mask {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The one font there is, and what it can write. */
export interface Lettering {
  readonly measure: Glyphs["measure"];
  /** A text as it can be written here: in one line, and without the characters that are listed beside it. */
  readonly writable: (text: string) => Writable;
  /** Draws lines of letters of that size in pixels; cut to the ink. Undefined when there is none. */
  readonly draw: (sharp: Sharp, lines: readonly string[], look: Look) => Promise<Mask | undefined>;
}

export interface Writable {
  readonly text: string;
  /** Each once, in the order of the text. */
  readonly missing: readonly string[];
}

export interface Look {
  readonly size: number;
  readonly align?: "left" | "centre" | "right";
}

// The machine may have no font at all. This one writes Latin, Cyrillic, Greek and Japanese.
const family = "Dela Gothic One";
const address = "@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf";

/** From line to line, in shares of the letters' size; the font's own 1.45 is made for text to be read, not to be seen. */
export const lineHeight = 1.12;
const ownLineHeight = 1.448;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters without a shape: controls, direction marks, joiners, halves of pairs, and what only chooses a style. */
const shapeless = /[\p{C}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800]/gu;

let opened: Promise<Lettering> | undefined;

/** Reads the font on first use. */
export function openLettering(): Promise<Lettering> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Lettering> {
  const fontfile = fileURLToPath(import.meta.resolve(address));
  const { has, measure } = readGlyphs(await readFile(fontfile));

  function writable(given: string): Writable {
    const missing = new Set<string>();
    const whole = given.normalize("NFC").replace(/\s+/gu, " ");
    const kept = Array.from(graphemes.segment(whole), ({ segment }) => {
      // More than two marks on a letter are there to spill over its neighbours.
      const shape = Array.from(segment.replace(shapeless, "")).slice(0, 3).join("");
      if (Array.from(shape).every((letter) => has(letter.codePointAt(0) ?? 0))) return shape;
      missing.add(segment);
      return "";
    });
    const text = kept.join("").replace(/ +/gu, " ").trim();
    return { text, missing: [...missing] };
  }

  async function draw(sharp: Sharp, lines: readonly string[], { size, align = "left" }: Look) {
    if (lines.join("").trim() === "") return undefined;
    const text = `<span line_height="${lineHeight / ownLineHeight}">${lines.map(escaped).join("\n")}</span>`;
    const font = `${family} ${Math.max(1, Math.round(size))}`;
    const { data, info } = await sharp({
      text: { text, font, fontfile, align, rgba: true, dpi: 72, wrap: "none" },
    })
      .extractChannel(3)
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  }

  return { measure, writable, draw };
}

/** Lines are Pango markup, and people's text must never be any. */
function escaped(line: string): string {
  return line.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;");
}

import { type Attachment, typedText, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { CutoutBackdrop } from "../../images/index.ts";
import namedColors from "./named-colors.json" with { type: "json" };

/** Colours that people can choose by name. */
export const colors = {
  white: "#ffffff",
  black: "#000000",
  grey: "#808080",
  red: "#e53935",
  orange: "#fb8c00",
  yellow: "#fdd835",
  green: "#43a047",
  blue: "#1e88e5",
  purple: "#8e24aa",
  pink: "#ec407a",
} as const;

/** The names of colours in CSS, each in one spelling: https://www.w3.org/TR/css-color-4/#named-colors */
const cssColors = new Map(Object.entries(namedColors));

/** The new background of the subject. Colours are `#rrggbb`. */
export type CutoutGround =
  | { readonly kind: "transparent" }
  | Exclude<CutoutBackdrop, { readonly kind: "picture" }>
  | { readonly kind: "picture"; readonly picture: Attachment }
  /** A picture by its address: remove.bg fetches it and composes. */
  | { readonly kind: "link"; readonly link: string }
  /** A translucent colour, `#rrggbbaa`: remove.bg composes. */
  | { readonly kind: "glass"; readonly color: string };

/** English words for backgrounds that are not a colour. The words of the person's language are accepted too. */
const english = { transparent: ["transparent", "none", "nothing"], blur: ["blur", "blurred"] };

/**
 * A background as people write it: `transparent`, `white`, `#ff8800`, `blur 60`, `orange to purple 45°`.
 * @throws InputError `background_unreadable`
 */
export function readCutoutGround(text: string, words: Words): CutoutGround {
  // Keyboards of Japanese also write letters, digits and signs in full width.
  const typed = text.normalize("NFKC").trim().toLowerCase();
  const clear = [...english.transparent, ownName("transparent", words)];
  if (clear.includes(typed)) return { kind: "transparent" };
  const ground = parseBlur(typed, words) ?? colorIn(typed, words) ?? gradientIn(typed, words);
  if (ground !== undefined) return ground;
  throw new InputError("the background can't be read", {
    code: "background_unreadable",
    facts: { given: typedText(text) },
  });
}

function parseBlur(typed: string, words: Words): CutoutGround | undefined {
  const written = (typed.endsWith("%") ? typed.slice(0, -1) : typed).trimEnd();
  const [number = ""] = /\d{1,3}$/u.exec(written) ?? [];
  const word = written.slice(0, written.length - number.length).trimEnd();
  if (![...english.blur, ownName("blur", words)].includes(word)) return undefined;
  if (number === "") return { kind: "blur" };
  const strength = Number(number);
  return strength >= 1 && strength <= 100 ? { kind: "blur", strength } : undefined;
}

function colorIn(typed: string, words: Words): CutoutGround | undefined {
  const color = parseColor(typed, words);
  if (color !== undefined) return { kind: "color", color };
  const [, digits] = /^#?((?:[\da-f]{4}){1,2})$/u.exec(typed) ?? [];
  if (digits === undefined) return undefined;
  const long = digits.length === 8 ? digits : digits.replace(/./gu, "$&$&");
  const [solid, alpha] = [long.slice(0, 6), long.slice(6)];
  if (alpha === "00") return { kind: "transparent" };
  if (alpha === "ff") return { kind: "color", color: `#${solid}` };
  return { kind: "glass", color: `#${long}` };
}

const angleAtEnd = /(-?\d{1,3})\s*(?:°|deg|degrees|grad)$/u;

/** Two colours, with whatever people write between them, and an angle at the end. */
function gradientIn(typed: string, words: Words): CutoutGround | undefined {
  const [, angleText] = angleAtEnd.exec(typed) ?? [];
  const pieces = typed
    .replace(angleAtEnd, "")
    .split(/→|->|=>|–|—|-|~|〜|,|、|;|\/|\||>|\+|から/u)
    .map((piece) => piece.trim())
    .filter(Boolean);
  const pairs = pieces.length === 2 ? [pieces] : splitInTwo(pieces.join(" "));
  for (const [from = "", to = ""] of pairs) {
    const colorsOfPair = [parseColor(from, words), parseColor(to, words)];
    const [first, last] = colorsOfPair;
    if (first === undefined || last === undefined) continue;
    const angle = angleText === undefined ? {} : { angle: ((Number(angleText) % 360) + 360) % 360 };
    return { kind: "gradient", from: first, to: last, ...angle };
  }
  return undefined;
}

/** Words that people write between two colours, in the languages of the bot. */
const between = new Set(["to", "and", "zu", "nach", "bis", "und", "a", "y", "vers", "à", "et"]);

/** Every way to split words in two, leaving out a joining word between them. */
function splitInTwo(text: string): readonly (readonly [string, string])[] {
  const all = text.split(/\s+/u);
  return all.map((word, at) => {
    const rest = all.slice(between.has(word) ? at + 1 : at);
    return [all.slice(0, at).join(" "), rest.join(" ")] as const;
  });
}

/** `#rrggbb`, from a name in English or in the person's language, or from hexadecimal digits. */
function parseColor(typed: string, words: Words): string | undefined {
  // 赤 is also called 赤色.
  const word = typed.trim().toLowerCase().replace("gray", "grey").replace(/色$/u, "");
  const own = Object.entries(colors).find(
    ([name]) => word === name || word === words.find(`choices.color.${name}`)?.toLowerCase(),
  );
  if (own !== undefined) return own[1];
  const [, digits] = /^#?((?:[\da-f]{3}){1,2})$/u.exec(word) ?? [];
  if (digits !== undefined) {
    return digits.length === 6 ? `#${digits}` : `#${digits.replace(/./gu, "$&$&")}`;
  }
  const name = word.replaceAll(/[\s_-]/gu, "").replace("grey", "gray");
  return cssColors.get(name);
}

function ownName(kind: "transparent" | "blur", words: Words): string {
  return words.say(`background.ground.${kind}`).toLowerCase();
}

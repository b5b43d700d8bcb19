import { type ExpressionKind, limits, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

/** Letters that Unicode does not decompose into an ASCII letter and a mark. */
const apart: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  þ: "th",
};

function inAscii(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøđðłħıþ]/giu, (letter) => apart[letter.toLowerCase()] ?? "");
}

/** A name that Discord accepts, made from the file's name; undefined if nothing of that can be used. */
export function suggestExpressionName(fileName: string, kind: ExpressionKind): string | undefined {
  const stem = fileName.replace(/\.[^.]*$/u, "");
  const made =
    kind === "emoji"
      ? inAscii(stem).replace(/\W+/gu, "_").replace(/_{2,}/gu, "_")
      : stem.replace(/[\s_]+/gu, " ").replace(/[^\p{L}\p{M}\p{N} -]/gu, "");
  const { name: max, minName: min } = limits[kind];
  // By code points, so that none is cut in half.
  const cut = [...made.replace(/^[_ -]+/u, "")].slice(0, max).join("");
  const [name = ""] = /^.*[^_ -]/su.exec(cut.slice(0, max)) ?? [];
  return name.length < min ? undefined : name;
}

/** @throws InputError `emoji_name`, `sticker_name` */
export function requireExpressionName(typed: string, kind: ExpressionKind): string {
  const name = typed.trim();
  const { minName: min, name: max } = limits[kind];
  const fits = name.length >= min && name.length <= max;
  if (kind === "sticker") {
    if (fits) return name;
    throw new InputError(`${name.length} characters as a sticker's name`, {
      code: "sticker_name",
      facts: { given: typedText(name), min, max },
    });
  }
  if (fits && /^\w+$/u.test(name)) return name;
  const example = suggestExpressionName(`${name}.png`, kind) ?? "happy_cat";
  throw new InputError("not a name of an emoji", {
    code: "emoji_name",
    facts: { example, given: typedText(name), min, max },
  });
}

/** The text for no description is empty. @throws InputError `sticker_description` */
export function requireStickerDescription(typed: string): string {
  const description = typed.trim();
  const { minDescription: min, description: max } = limits.sticker;
  const { length } = description;
  if (length === 0 || (length >= min && length <= max)) return description;
  throw new InputError(`${length} characters as a sticker's description`, {
    code: "sticker_description",
    facts: { length, min, max },
  });
}

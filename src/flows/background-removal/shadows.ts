import {
  foregroundTypes,
  type PerType,
  type ShadowType,
  shadowTypes,
} from "../../background/index.ts";
import { InputError } from "../../errors.ts";

/** `drop`, or one for each type: `car: car, product: drop`. @throws InputError `invalid_shadow_type` */
export function readShadow(text: string): PerType<ShadowType> {
  return perType(text, shadowOf, "invalid_shadow_type");
}

/** `50`, `auto`, or one for each type: `car: 90, person: 40`. @throws InputError `invalid_shadow_opacity` */
export function readOpacity(text: string): PerType<number | "auto"> {
  return perType(text, opacityOf, "invalid_shadow_opacity");
}

const others = [...foregroundTypes.filter((type) => type !== "auto"), "other"] as const;

function perType<T>(text: string, read: (text: string) => T | undefined, code: string): PerType<T> {
  const forAll = read(text);
  if (forAll !== undefined) return forAll;
  const pairs = text.split(/[,;\n]+/u).map((piece) => {
    const [, name, rest = ""] = /^([a-z]+)(?:\s*[:=]\s*|\s+)(\S+)$/iu.exec(piece.trim()) ?? [];
    const type = others.find((one) => one === name?.toLowerCase());
    const value = read(rest);
    if (type === undefined || value === undefined)
      throw new InputError(`${code} before anything was sent`, { code });
    return [type, value] as const;
  });
  return Object.fromEntries(pairs) as PerType<T>;
}

function shadowOf(text: string): ShadowType | undefined {
  const typed = text.trim().toLowerCase();
  return shadowTypes.find((type) => type.toLowerCase() === typed);
}

function opacityOf(text: string): number | "auto" | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "auto") return typed;
  const [, digits] = /^(\d{1,3})\s*%?$/u.exec(typed) ?? [];
  const opacity = Number(digits ?? "NaN");
  return opacity <= 100 ? opacity : undefined;
}

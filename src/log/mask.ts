import type { Plain } from "./shape.ts";

/**
 * The value with every text in it changed, names of fields too. Secrets are taken out here, before a line is made: taken out of
 * the finished line, one that looks like a piece of it would spoil the line.
 */
export function maskTexts(value: Plain, mask: (text: string) => string): Plain {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Plain) => maskTexts(item, mask));
  const pairs = Object.entries(value).map(([name, item]) => [mask(name), maskTexts(item, mask)]);
  return Object.fromEntries(pairs);
}

/** Red, green, blue and alpha, 0 to 255. */
export type RgbaColor = readonly [number, number, number, number];

const names: Readonly<Record<string, string>> = {
  transparent: "00000000",
  black: "000000",
  silver: "c0c0c0",
  gray: "808080",
  grey: "808080",
  white: "ffffff",
  maroon: "800000",
  red: "ff0000",
  purple: "800080",
  fuchsia: "ff00ff",
  magenta: "ff00ff",
  green: "008000",
  lime: "00ff00",
  olive: "808000",
  yellow: "ffff00",
  navy: "000080",
  blue: "0000ff",
  teal: "008080",
  aqua: "00ffff",
  cyan: "00ffff",
  orange: "ffa500",
  pink: "ffc0cb",
  brown: "a52a2a",
  gold: "ffd700",
  indigo: "4b0082",
  violet: "ee82ee",
  coral: "ff7f50",
  salmon: "fa8072",
  turquoise: "40e0d0",
  beige: "f5f5dc",
  ivory: "fffff0",
  khaki: "f0e68c",
  lavender: "e6e6fa",
  crimson: "dc143c",
  skyblue: "87ceeb",
  lightblue: "add8e6",
  lightgray: "d3d3d3",
  darkgray: "a9a9a9",
};

/** Hex with 3, 4, 6 or 8 digits (a leading # is let pass) or a CSS name; undefined when it is neither. */
export function parseColor(text: string): RgbaColor | undefined {
  const hex = names[text.toLowerCase()] ?? text.replace(/^#/, "");
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(hex)) return undefined;
  const full = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0, alpha = 255] = [...Buffer.from(full, "hex")];
  return [red, green, blue, alpha];
}

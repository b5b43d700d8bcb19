import type { Wishes } from "./wishes.ts";

/** What suits a kind of picture. Anything that a person asks for themselves goes before it. */
export const presets = {
  /** As shops show things: on white, close, with a shadow below. */
  product: {
    type: "product",
    crop: true,
    cropMargin: "8%",
    shadowType: "drop",
    ground: { kind: "color", color: "#ffffff" },
  },
  /** The person stays where they are; what is behind them goes out of focus. */
  portrait: { type: "person", ground: { kind: "blur" } },
  /** A face for a profile. Shoulders and chest go on to the edges; with air round them they would float. */
  profile: {
    type: "person",
    crop: true,
    cropMargin: "8% 0% 0% 0%",
    ground: { kind: "gradient", from: "#8fa8ff", to: "#5b4bc4" },
  },
  pet: { type: "animal", crop: true, cropMargin: "5%", ground: { kind: "transparent" } },
  /** As dealers show cars: on light grey, with the car's own shadow, and through its windows one sees the grey. */
  car: {
    type: "car",
    semitransparency: true,
    shadowType: "car",
    ground: { kind: "gradient", from: "#ffffff", to: "#d5d9e0" },
  },
  /** Ready to be laid over anything. */
  logo: { type: "graphic", crop: true, cropMargin: "4%", ground: { kind: "transparent" } },
} as const satisfies Readonly<Record<string, Wishes>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];

/**
 * The wishes with all that their preset adds. What would contradict them is left out of it: a preset never makes a
 * request fail.
 */
export function withPreset(wishes: Wishes, name: PresetName | undefined): Wishes {
  if (name === undefined) return wishes;
  const { ground, cropMargin, shadowType, ...preset }: Wishes = presets[name];
  const { maskOnly = false, format } = wishes;
  const isPlain = maskOnly || format === "zip";
  const isMoved = wishes.scale !== undefined || wishes.position !== undefined;
  const takesGround =
    ground !== undefined &&
    !isPlain &&
    !(ground.kind === "blur" && isMoved) &&
    !(ground.kind === "transparent" && format === "jpg");
  return {
    ...preset,
    ...(takesGround && { ground }),
    ...(cropMargin !== undefined && wishes.crop !== false && { cropMargin }),
    ...(shadowType !== undefined && !maskOnly && { shadowType }),
    ...wishes,
    preset: name,
  };
}

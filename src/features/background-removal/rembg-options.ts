import { InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { RemovalOptions } from "./options.ts";
import type { PictureSource } from "./picture-source.ts";

/** Sizes that rembg's results have: always that of the picture. */
const wholeSizes: readonly unknown[] = ["auto", "full", "4k", "50MP"];

/**
 * Refuses options that rembg can't follow: it makes a mask and nothing else. Crop, shadow and backgrounds are made here. What a
 * preset adds for remove.bg is left out without a word.
 * @throws InputError `engine_options`
 */
export function requireEngineOptions(
  { engine, words }: Ctx,
  options: CutoutOptions,
  all: readonly PictureSource[],
): void {
  if (engine !== "rembg") return;
  const { roi, size = "auto", scale = "original", position = "original", ground } = options;
  const isPreset = options.preset !== undefined;
  const missing = {
    region: roi !== undefined,
    scale: scale !== "original",
    position: position !== "original",
    size: !wholeSizes.includes(size),
    subject: !isPreset && options.type !== undefined,
    subject_detail: options.typeLevel !== undefined,
    shadow_opacity: options.shadowOpacity !== undefined,
    windows: !isPreset && options.semitransparency !== undefined,
    background: ground?.kind === "glass",
    background_link: ground?.kind === "link",
    // It would fetch any address that its own network reaches.
    link: all.some((source) => "link" in source),
  } satisfies Partial<Record<keyof RemovalOptions, boolean>>;
  const names = Object.entries(missing).flatMap(([name, isMissing]) =>
    isMissing ? [words.find(`background.command.remove.options.${name}.name`) ?? name] : [],
  );
  if (names.length === 0) return;
  throw new InputError(`rembg can't do ${names.join(", ")}`, {
    code: "engine_options",
    facts: { options: words.list(names) },
  });
}

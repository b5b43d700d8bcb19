import type { Ctx } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { Composed, ComposeOptions } from "../../images/index.ts";

/**
 * Composes a cut-out. A PNG of more pixels than a PNG may have becomes a WebP: how many are left of a cropped picture, or
 * of one that the service fetched, shows only once it is paid for.
 */
export async function composed(
  { images }: Ctx<unknown>,
  cutout: Uint8Array,
  options: ComposeOptions,
): Promise<Composed> {
  try {
    return await images.compose(cutout, options);
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== "png_too_large") throw error;
    const made = await images.compose(cutout, { ...options, format: "webp" });
    return { ...made, fitted: made.fitted === "asked" ? "webp" : made.fitted };
  }
}

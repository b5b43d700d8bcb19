import type { Ctx } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { Backdrop, Composed, ComposeOptions } from "../../images/index.ts";
import type { CutoutGround } from "../cutout/index.ts";
import type { CutoutOptions } from "./cutout-options.ts";

/**
 * How the ZIP becomes what was asked for. A background picture is fetched and read here, before anything is paid for.
 * @throws what `fetchAttachment` and `Images.inspect` throw for it
 */
export async function compositionOf(
  ctx: Ctx,
  { ground, format }: CutoutOptions,
): Promise<Pick<ComposeOptions, "format" | "backdrop">> {
  const backdrop = ground && (await backdropOf(ctx, ground));
  if (backdrop?.kind === "picture") {
    await ctx.images.inspect(backdrop.bytes, { isProven: true, signal: ctx.signal });
  }
  return {
    format: format === undefined || format === "zip" ? "auto" : format,
    ...(backdrop !== undefined && { backdrop }),
  };
}

/** Undefined where the result stays transparent, or the service has composed it. */
export async function backdropOf(ctx: Ctx, ground: CutoutGround): Promise<Backdrop | undefined> {
  switch (ground.kind) {
    case "picture":
      return { kind: "picture", bytes: await ctx.fetchAttachment(ground.picture) };
    case "color":
    case "gradient":
    case "blur":
      return ground;
    default:
      return undefined;
  }
}

/**
 * Composes a cut-out. A PNG with too many pixels becomes a WebP: how large a cropped picture is, or one that the service
 * fetched, is known only once it is paid for.
 */
export async function composeResult(
  { images }: Ctx,
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

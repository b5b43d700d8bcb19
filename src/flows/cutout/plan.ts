import type { Ctx } from "../../discord/index.ts";
import type { Backdrop, ComposeOptions, Prepared } from "../../images/index.ts";
import { mostPngPixels } from "./check.ts";
import type { CutOutWishes } from "./cut-out-one.ts";
import { regionFor } from "./lengths.ts";
import type { Ground, Wishes } from "./wishes.ts";

/** Whether the service lays the subject onto its background, or gives nothing but the mask: nothing is composed here. */
export function isWholeFromService({ ground, maskOnly }: Wishes): boolean {
  return maskOnly === true || ground?.kind === "link" || ground?.kind === "glass";
}

/**
 * What is asked of the service. Whatever is composed here comes as a ZIP: the fastest, and without loss.
 * @throws InputError `region_outside`
 */
export function requestOf(wishes: Wishes, sent: Prepared | undefined): CutOutWishes {
  const { preset: _, name: __, delivery: ___, ground, maskOnly, roi, ...request } = wishes;
  return {
    size: "auto",
    ...request,
    format: isWholeFromService(wishes) ? wholeFormat(wishes, sent) : "zip",
    ...(roi !== undefined && { roi: sent ? regionFor(roi, sent.original, sent) : roi }),
    ...(maskOnly === true && { channels: "alpha" as const }),
    ...(ground?.kind === "link" && { bgImageUrl: ground.link }),
    ...(ground?.kind === "glass" && { bgColor: ground.color }),
  };
}

function wholeFormat(
  { format, ground }: Wishes,
  sent: Prepared | undefined,
): "png" | "webp" | "jpg" {
  if (format !== undefined && format !== "zip") return format;
  if (ground?.kind === "link") return "jpg";
  const pixels = sent === undefined ? 0 : sent.width * sent.height;
  return pixels <= mostPngPixels ? "png" : "webp";
}

/**
 * How the ZIP becomes what was asked for; a background picture is fetched and read before anything is paid.
 * @throws what `fetchAttachment` and `Images.inspect` throw of it
 */
export async function compositionOf(
  ctx: Ctx,
  { ground, format }: Wishes,
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

/** Undefined for what stays transparent. */
export async function backdropOf(ctx: Ctx, ground: Ground): Promise<Backdrop | undefined> {
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

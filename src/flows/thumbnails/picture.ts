import type { Attachment, Ctx } from "../../discord/index.ts";
import type { Backdrop, Thumbnail } from "../../images/index.ts";
import { plainAttachment } from "../plain-attachment.ts";
import type { Design, Ground } from "./design.ts";

/** What players and lists show best: https://support.google.com/youtube/answer/72431 */
export const size = { width: 1280, height: 720 } as const;
/** What the service took before it took more; nothing of these measures needs as much. */
const maxBytes = 2_000_000;

/** Draws a design. @throws what `Images.thumbnail` throws; InputError `attachment_gone` */
export async function drawDesign(
  ctx: Ctx<unknown>,
  cutout: Uint8Array,
  { backdrop, side, title, color, shadow, foreground }: Design,
): Promise<Thumbnail> {
  const { signal } = ctx;
  return ctx.images.thumbnail(cutout, {
    ...size,
    backdrop: await backdropOf(ctx, backdrop),
    subject: side,
    ...(title !== undefined && { title: { text: title, ...(color !== undefined && { color }) } }),
    ...(shadow && { shadow: {} }),
    ...(foreground !== undefined && { foreground }),
    maxBytes: Math.min(maxBytes, ctx.attachmentLimit),
    signal,
  });
}

/** A picture of the person's own as a ground: judged at once, and made no larger than it is needed. */
export async function pictureGround(ctx: Ctx<unknown>, picture: Attachment): Promise<Ground> {
  const kept = ctx.keep(await fitted(ctx, picture));
  return { kind: "picture", picture: plainAttachment(picture), kept };
}

async function backdropOf(
  ctx: Ctx<unknown>,
  ground: Ground,
): Promise<Exclude<Backdrop, { readonly kind: "blur" }>> {
  if (ground.kind !== "picture") return ground;
  const bytes = ctx.kept(ground.kept) ?? (await fitted(ctx, ground.picture));
  return { kind: "picture", bytes };
}

async function fitted(ctx: Ctx<unknown>, picture: Attachment): Promise<Uint8Array> {
  const given = await ctx.fetchAttachment(picture);
  const place = { ...size, shape: "cover", format: "jpeg", maxBytes } as const;
  const { bytes } = await ctx.images.fit(given, { ...place, signal: ctx.signal });
  return bytes;
}

import { readPixels, resizePixels } from "../../images/index.ts";
import { type Backdrop, type Cutout, crop } from "./cutout.ts";
import { checkDimensions } from "./dimensions.ts";
import type { Form } from "./form.ts";
import { download } from "./input.ts";
import type { Order } from "./make-cutout.ts";
import { refuse } from "./refusals.ts";

/** The picture that was asked for behind the foreground. */
export async function readBackdrop({ texts, files }: Form): Promise<Uint8Array | undefined> {
  const address = texts.get("bg_image_url");
  const bytes =
    files.get("bg_image_file") ??
    (address === undefined ? undefined : await download(address, "bg"));
  if (bytes !== undefined) checkDimensions(bytes);
  return bytes;
}

/** The colour or the picture to lay behind, once the cut-out's size is known. */
export async function fitBackdrop(
  { job, backdrop }: Order,
  cutout: Cutout,
): Promise<Backdrop | undefined> {
  if (backdrop !== undefined) return { color: await cover(backdrop, cutout), alpha: 255 };
  if (job.bgColor === undefined) return undefined;
  const [red, green, blue, alpha] = job.bgColor;
  return { color: Uint8Array.of(red, green, blue), alpha };
}

/** Centred and scaled to cover the canvas, its proportions kept. */
async function cover(bytes: Uint8Array, { width, height }: Cutout): Promise<Uint8Array> {
  const picture = await readPixels(bytes).catch(() => {
    throw refuse("failed_to_read_image");
  });
  const scale = Math.max(width / picture.width, height / picture.height);
  const scaled = await resizePixels(picture, {
    width: Math.max(width, Math.round(picture.width * scale)),
    height: Math.max(height, Math.round(picture.height * scale)),
    kernel: "cubic",
  });
  const left = Math.floor((scaled.width - width) / 2);
  const top = Math.floor((scaled.height - height) / 2);
  const alpha = new Uint8Array(scaled.width * scaled.height);
  const whole = { width: scaled.width, height: scaled.height, color: scaled.data, alpha };
  return crop(whole, { left, top, width, height }).color;
}

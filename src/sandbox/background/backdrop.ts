import { readPixels, resizePixels } from "../../images/index.ts";
import { type Backdrop, type Cutout, crop } from "./cutout.ts";
import { checkDimensions } from "./dimensions.ts";
import type { Form } from "./form.ts";
import { download } from "./input.ts";
import type { Job } from "./job.ts";
import { refuse } from "./refusals.ts";

/** Makes the backdrop for a cut-out once its size is known. */
export type FitBackdrop = (cutout: Cutout) => Promise<Backdrop>;

/** The colour or the picture that was asked for behind the cut-out. */
export async function readBackdrop(form: Form, job: Job): Promise<FitBackdrop | undefined> {
  if (job.bgColor !== undefined) {
    const [red, green, blue, alpha] = job.bgColor;
    const color = Uint8Array.of(red, green, blue);
    return async () => ({ color, alpha });
  }
  const address = form.texts.get("bg_image_url");
  const bytes =
    form.files.get("bg_image_file") ??
    (address === undefined ? undefined : await download(address, "bg"));
  if (bytes === undefined) return undefined;
  checkDimensions(bytes);
  return (cutout) => cover(bytes, cutout);
}

/** Centred and scaled to cover the canvas, its proportions kept. */
async function cover(bytes: Uint8Array, { width, height }: Cutout): Promise<Backdrop> {
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
  const { color } = crop(
    {
      width: scaled.width,
      height: scaled.height,
      color: scaled.data,
      alpha: new Uint8Array(scaled.width * scaled.height),
    },
    { left, top, width, height },
  );
  return { color, alpha: 255 };
}

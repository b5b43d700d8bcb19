import { readPixels, resizePixels } from "../../../images/index.ts";
import { refuse } from "../refusals.ts";
import type { Color } from "../request/colors.ts";
import { type Cutout, cut, type Size } from "./cutout.ts";

/** What lies behind: one colour, or a picture of the cut-out's own size. */
interface Backdrop {
  /** RGB of each pixel, or of all when it is 3 long. */
  readonly color: Uint8Array;
  /** Of all pixels, 0 to 255. */
  readonly alpha: number;
}

/** The colour or the picture to lay behind, once the canvas is known. */
export async function fitBackdrop(
  asked: { readonly color: Color | undefined; readonly picture: Uint8Array | undefined },
  canvas: Size,
): Promise<Backdrop | undefined> {
  if (asked.picture !== undefined) return { color: await cover(asked.picture, canvas), alpha: 255 };
  if (asked.color === undefined) return undefined;
  const [red, green, blue, alpha] = asked.color;
  return { color: Uint8Array.of(red, green, blue), alpha };
}

/** Centred and scaled to cover the canvas, its proportions kept. */
async function cover(bytes: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const picture = await readPixels(bytes).catch(() => {
    throw refuse("failed_to_read_image");
  });
  const scale = Math.max(width / picture.width, height / picture.height);
  // Cut to the canvas's shape before it is scaled: enlarging what nobody sees would take the most memory.
  const part = {
    width: Math.min(picture.width, Math.max(1, Math.round(width / scale))),
    height: Math.min(picture.height, Math.max(1, Math.round(height / scale))),
  };
  const left = Math.floor((picture.width - part.width) / 2);
  const top = Math.floor((picture.height - part.height) / 2);
  const data = cut(picture.data, picture, { left, top, ...part });
  if (part.width === width && part.height === height) return data;
  const to = { width, height, kernel: "cubic" } as const;
  return (await resizePixels({ data, ...part, channels: 3 }, to)).data;
}

/** Lays the cut-out on a backdrop, which may be clear itself, in place. */
export function layOn({ color, alpha }: Cutout, backdrop: Backdrop): void {
  const stride = backdrop.color.length === 3 ? 0 : 3;
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 255) continue;
    const front = (alpha[i] ?? 0) / 255;
    const back = (backdrop.alpha / 255) * (1 - front);
    const total = front + back;
    if (total === 0) continue;
    alpha[i] = Math.round(total * 255);
    for (let c = 0; c < 3; c++) {
      const behind = backdrop.color[i * stride + c] ?? 0;
      color[i * 3 + c] = Math.round(((color[i * 3 + c] ?? 0) * front + behind * back) / total);
    }
  }
}

import { type RawPixels, readPixels, resizePixels, writePixels } from "../../../images/index.ts";
import type { Picture } from "../world/index.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * An uploaded picture in one of the served sizes: as large as fits, not cropped, with black bars where its shape
 * differs (specification, section 2).
 */
export async function fitPicture({ bytes }: Picture, size: Size): Promise<Uint8Array> {
  const pixels = await readPixels(bytes, { maxPixels: 4_000_000 });
  const scale = Math.min(size.width / pixels.width, size.height / pixels.height);
  const within = (side: number): number => Math.max(1, Math.round(side * scale));
  const inner = { width: within(pixels.width), height: within(pixels.height) };
  const small = await resizePixels(pixels, { ...inner, kernel: "mitchell" });
  return writePixels(onBlack(small, size), { format: "jpg" });
}

function onBlack(picture: RawPixels, { width, height }: Size): RawPixels {
  const data = new Uint8Array(width * height * 3);
  const left = Math.floor((width - picture.width) / 2);
  const top = Math.floor((height - picture.height) / 2);
  const rowBytes = picture.width * 3;
  for (let row = 0; row < picture.height; row++) {
    const from = row * rowBytes;
    data.set(picture.data.subarray(from, from + rowBytes), ((top + row) * width + left) * 3);
  }
  return { data, width, height, channels: 3 };
}

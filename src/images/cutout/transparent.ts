import { openPicture } from "../files/open-picture.ts";
import { refusal } from "../refusal.ts";
import type { Cutout } from "./cutout.ts";

/** Opens a picture that has something transparent, upright and in sRGB. */
export async function openTransparent(bytes: Buffer): Promise<Cutout> {
  const picture = await openPicture(bytes);
  // Most pictures say of themselves that nothing shows through, which spares decoding them.
  if (!(await picture.hasAlpha())) throw refusal.opaque();
  const { data, width, height } = await picture.draw((pipeline) => pipeline);
  const { rgb, alpha } = part(data);
  if (alpha.every((value) => value === 255)) throw refusal.opaque();
  return {
    width,
    height,
    color: { data: rgb, raw: { width, height, channels: 3 } },
    alpha: { data: alpha, raw: { width, height, channels: 1 } },
    hasBackground: false,
    profile: undefined,
    isStandard: true,
  };
}

/** Parts colours from alpha; the colours stay in the memory they came in, because there may be 200 MB of them. */
export function part(rgba: Buffer): { readonly rgb: Buffer; readonly alpha: Buffer } {
  const alpha = Buffer.allocUnsafeSlow(rgba.length / 4);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 4, to += 3) {
    rgba[to] = rgba[from] ?? 0;
    rgba[to + 1] = rgba[from + 1] ?? 0;
    rgba[to + 2] = rgba[from + 2] ?? 0;
    alpha[i] = rgba[from + 3] ?? 0;
  }
  return { rgb: rgba.subarray(0, alpha.length * 3), alpha };
}

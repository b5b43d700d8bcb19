import { InputError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";
import { mostMegapixels, type Wishes } from "./wishes.ts";

interface Clash {
  readonly code: string;
  readonly hint: string;
  readonly is: (wishes: Wishes) => boolean;
}

const isMoved = ({ scale, position }: Wishes) => scale !== undefined || position !== undefined;

/** Wishes that can't both come true; each is told before anything is sent. */
const clashes: readonly Clash[] = [
  {
    code: "jpg_transparent",
    hint: "A JPG can’t be transparent. Choose PNG or WebP, or another background.",
    is: ({ format, ground }) =>
      format === "jpg" && (ground?.kind === "transparent" || ground?.kind === "glass"),
  },
  {
    code: "blur_moved",
    hint: "A blurred background stays where it is, so the subject can’t be scaled or moved on it.",
    is: (wishes) => wishes.ground?.kind === "blur" && isMoved(wishes),
  },
  {
    code: "margin_without_crop",
    hint: "A margin only acts on a cropped picture. Switch cropping on, or leave the margin out.",
    is: ({ cropMargin, crop }) => cropMargin !== undefined && crop !== true,
  },
  {
    code: "opacity_without_shadow",
    hint: "There is no shadow to be made weaker. Choose a shadow too.",
    is: ({ shadowType = "none", shadowOpacity }) =>
      shadowOpacity !== undefined && shadowType === "none",
  },
  {
    code: "mask_mixed",
    hint: "A mask has neither background nor shadow, and no ZIP. Leave those out.",
    is: ({ maskOnly, ground, shadowType = "none", format }) =>
      maskOnly === true && (ground !== undefined || format === "zip" || shadowType !== "none"),
  },
  {
    code: "zip_composed",
    hint: "A ZIP of colors and mask has no background of its own. Choose PNG, WebP or JPG.",
    is: ({ format, ground }) =>
      format === "zip" && ground !== undefined && ground.kind !== "transparent",
  },
];

/** @throws InputError by the first two wishes that do not go together */
export function requireHarmony(wishes: Wishes): void {
  for (const { code, hint, is } of clashes) {
    if (is(wishes)) throw new InputError(`${code} before anything was sent`, { code, hint });
  }
}

/** PNG stops there, whatever size is asked (interface specification: Result image). */
export const mostPngPixels = 10_000_000;

/** What can only be known of the picture itself. @throws InputError `png_too_large` */
export function requirePossible({ format, size, crop }: Wishes, sent: Prepared): void {
  const pixels = sent.width * sent.height;
  const share = Math.sqrt(Math.min(1, (mostMegapixels(size) * 1e6) / pixels));
  // Of a cropped picture nobody knows how much is left; it may become a WebP in the end.
  if (format !== "png" || crop === true || pixels * share ** 2 <= mostPngPixels) return;
  const [width, height] = [Math.round(sent.width * share), Math.round(sent.height * share)];
  throw new InputError(`PNG of ${width} x ${height} pixels`, {
    code: "png_too_large",
    hint: "A PNG holds at most 10 megapixels. Choose WebP, or a smaller size.",
    facts: { width, height, maxPixels: mostPngPixels },
  });
}

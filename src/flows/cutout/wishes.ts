import type { RemoveBackgroundRequest, Size } from "../../background/index.ts";
import type { Attachment } from "../../discord/index.ts";
import type { Backdrop } from "../../images/index.ts";
import { decoded } from "../decoded.ts";

/** What lies behind the subject afterwards. Colours are `#rrggbb`. */
export type Ground =
  | { readonly kind: "transparent" }
  | Exclude<Backdrop, { readonly kind: "picture" }>
  | { readonly kind: "picture"; readonly picture: Attachment }
  /** A picture by its address: the service fetches it and composes. */
  | { readonly kind: "link"; readonly link: string }
  /** A colour that lets something through, `#rrggbbaa`: the service composes. */
  | { readonly kind: "glass"; readonly color: string };

export const resultFormats = ["png", "webp", "jpg", "zip"] as const;
/** `zip`: the service's own file of colours and mask, for editors. */
export type ResultFormat = (typeof resultFormats)[number];

export const deliveries = ["auto", "files", "zip"] as const;
export type Delivery = (typeof deliveries)[number];

/**
 * How pictures are to be cut out, read and free of contradictions. It travels in the states of buttons and forms, so it
 * is small and JSON-shaped. Lengths are written as the service takes them.
 */
export interface Wishes
  extends Pick<
    RemoveBackgroundRequest,
    | ("size" | "type" | "typeLevel" | "roi" | "scale" | "position" | "semitransparency")
    | ("crop" | "cropMargin" | "shadowType" | "shadowOpacity")
  > {
  readonly preset?: string;
  /** Transparent when absent; on white in a JPG. */
  readonly ground?: Ground;
  /** The best one for the picture when absent. */
  readonly format?: ResultFormat;
  /** Nothing but the mask: white is subject, black is background. */
  readonly maskOnly?: boolean;
  /** File name for the results, without its ending. */
  readonly name?: string;
  readonly delivery?: Delivery;
}

/** A picture to be cut out: attached here, or somewhere on the web where only the service fetches it. */
export type Given = { readonly attachment: Attachment } | { readonly link: string };

export function nameOf(given: Given): string {
  if ("attachment" in given) return given.attachment.filename;
  const { pathname, hostname } = new URL(given.link);
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return decoded(last) || hostname;
}

/** Megapixels that a result has at most (facts: sizes). */
const largest: Readonly<Record<Size, number>> = {
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  auto: 25,
  "50MP": 50,
};

export function mostMegapixels(size: Size = "auto"): number {
  return largest[size];
}

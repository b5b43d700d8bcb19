import type {
  ForegroundType,
  PerType,
  ShadowType,
  Size,
  TypeLevel,
} from "../../background/index.ts";
import type { Attachment } from "../../discord/index.ts";

/** What lies behind the subject afterwards. Colours are `#rrggbb`. */
export type Ground =
  | { readonly kind: "transparent" }
  | { readonly kind: "color"; readonly color: string }
  | {
      readonly kind: "gradient";
      readonly from: string;
      readonly to: string;
      readonly angle?: number;
    }
  /** The picture's own background out of focus. */
  | { readonly kind: "blur"; readonly strength?: number }
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
export interface Wishes {
  readonly preset?: string;
  /** Transparent when absent; on white in a JPG. */
  readonly ground?: Ground;
  /** The best one for the picture when absent. */
  readonly format?: ResultFormat;
  readonly size?: Size;
  readonly type?: ForegroundType;
  readonly typeLevel?: TypeLevel;
  readonly crop?: boolean;
  readonly margin?: string;
  readonly region?: string;
  readonly scale?: string;
  readonly position?: string;
  /** Nothing but the mask: white is subject, black is background. */
  readonly maskOnly?: boolean;
  /** Whether a car's windows let the background through. */
  readonly windows?: boolean;
  readonly shadow?: PerType<ShadowType>;
  readonly shadowOpacity?: PerType<number | "auto">;
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An address may hold a percent sign that stands for nothing.
    return text;
  }
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

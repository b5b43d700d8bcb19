/** Still picture formats that are taken in. */
export type InputFormat = "jpeg" | "png" | "webp";

/** Formats a cut-out can be composed to; `auto` follows the rule in `format.ts`. */
export type OutputFormat = "png" | "webp" | "jpg";

export interface Picture {
  readonly format: InputFormat;
  /** Pixels, after the EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
}

export interface Prepared extends Picture {
  /** Oriented, without EXIF, XMP and IPTC, colour profile kept. The very same bytes when nothing had to change. */
  readonly bytes: Buffer;
  /** What was done to make it fit, for the reply: nothing, re-encoded, or made smaller. */
  readonly fitted: "unchanged" | "recompressed" | "resized";
}

export interface ComposeOptions {
  /** `auto`: PNG up to 10 megapixels, WebP above or when the PNG passes `maxBytes`. */
  readonly format: OutputFormat | "auto";
  /** Needed for `jpg` (white when absent): `#rrggbb`. */
  readonly background?: string;
  /** Largest file that may come out, in bytes. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface Composed {
  readonly bytes: Buffer;
  readonly format: OutputFormat;
  readonly width: number;
  readonly height: number;
  /** `asked`: as asked. `webp`: PNG was too large in bytes or pixels. `quality`: quality lowered. `smaller`: fewer pixels. */
  readonly fitted: "asked" | "webp" | "quality" | "smaller";
}

/**
 * How a picture lies in its place. `cover` fills it and leaves out what is beyond; `contain` shows the whole picture with
 * bars around it; `inside` only makes it smaller; `magnify` is `contain` in a file of exactly the place's size, and
 * enlarges a smaller picture up to four times.
 */
export type FitShape = "cover" | "contain" | "inside" | "magnify";

/** Formats that places of the video service take. */
export type FitFormat = "jpeg" | "png";

export interface FitOptions extends JobOptions {
  /** The place in pixels: its ratio and its largest size. Only `magnify` enlarges a smaller picture. */
  readonly width: number;
  readonly height: number;
  readonly shape: FitShape;
  /** Smallest file that may come out, in pixels; 16 when absent. */
  readonly minWidth?: number;
  readonly minHeight?: number;
  /** Largest file that may come out, in bytes. */
  readonly maxBytes: number;
  /**
   * `keep` (when absent): JPEG and PNG as they come, WebP as PNG when it has transparency and as JPEG otherwise; a PNG
   * that would be too large becomes a JPEG where it has no transparency or can't get smaller.
   */
  readonly format?: FitFormat | "keep";
  /**
   * `#rrggbb`, for bars and for what was transparent in a JPEG. When absent both are white, but bars around a
   * transparent picture stay transparent in a PNG.
   */
  readonly background?: string;
}

export interface Fitted {
  /** Oriented, without EXIF, XMP and IPTC, colour profile kept. The very same bytes when nothing had to change. */
  readonly bytes: Buffer;
  readonly format: FitFormat;
  readonly width: number;
  readonly height: number;
  /**
   * The gravest of what was done: nothing, encoded again, given other measures (fewer pixels or bars), parts left out.
   */
  readonly fitted: "unchanged" | "recompressed" | "cropped" | "resized";
}

export interface JobOptions {
  readonly signal?: AbortSignal;
}

/**
 * Picture work, done in a child process that is restarted when it dies and limited in memory and time.
 * Every refusal is an InputError: `picture_empty`, `picture_type`, `picture_animated`, `picture_truncated`,
 * `picture_unreadable`, `picture_pixels`, `picture_too_large`, `picture_background`; of a ZIP ServiceError `cutout_damaged`.
 * A child that died or ran out of time or memory is ServiceError `picture_worker`.
 */
export interface Images {
  /** Judges by the bytes and decodes nothing large. */
  inspect(bytes: Uint8Array, options?: JobOptions): Promise<Picture>;
  /** Makes a picture ready to be sent to the service, at most `maxBytes` and `maxPixels`. */
  prepare(
    bytes: Uint8Array,
    options: JobOptions & { readonly maxBytes: number; readonly maxPixels: number },
  ): Promise<Prepared>;
  /**
   * Makes a picture fit a place, such as a banner, a thumbnail or a watermark: by its ratio, its pixels, its bytes.
   * Refuses beside the above `picture_too_small` (facts `width`, `height`, `minWidth`, `minHeight`) and `picture_shape`
   * (the same, and `placeWidth` and `placeHeight`): so long or so tall that in this place less than the minimum is left.
   */
  fit(bytes: Uint8Array, options: FitOptions): Promise<Fitted>;
  /** Composes the service's ZIP (`color.jpg`, `alpha.png`). */
  compose(zip: Uint8Array, options: ComposeOptions): Promise<Composed>;
  /** Jobs waiting and running, for progress and metrics. */
  load(): { readonly waiting: number; readonly running: number };
  close(): Promise<void>;
}

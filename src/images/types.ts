import type { TurnTaker } from "../fair-queue.ts";
import type { InputFormat, SentFormat } from "./files/formats.ts";
import type { PictureDimensions } from "./size.ts";

/** Formats a cut-out can be composed to; `auto` follows the rule in `ComposeOptions.format`. */
export type OutputFormat = "png" | "webp" | "jpg";

/** Its size is that after the EXIF orientation is applied. */
export interface PictureInfo extends PictureDimensions {
  readonly format: InputFormat;
  /** Frames or pages; 1 for a still picture. Only the first is ever used. */
  readonly frames: number;
}

/** The largest file and picture that remove.bg takes. */
export interface PrepareOptions extends JobOptions {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

export interface ServiceReadyPicture extends PictureDimensions {
  /** Oriented, without EXIF, XMP and IPTC, colour profile kept. The very same bytes when nothing had to change. */
  readonly bytes: Buffer;
  readonly format: SentFormat;
  /** The picture that was handed in. */
  readonly original: PictureInfo;
  /** SHA-256 of the file that was handed in, in hexadecimal. */
  readonly digest: string;
  /**
   * The biggest change. `turned`: encoded again, upright. `rewritten`: encoded again in a form that all programs read.
   * `recompressed`, `resized`: at a lower quality, or with fewer pixels, because of a limit. `reduced`: fewer pixels,
   * because transparent pictures are sent with no more.
   */
  readonly fitted:
    | "unchanged"
    | "turned"
    | "rewritten"
    | "converted"
    | "recompressed"
    | "resized"
    | "reduced";
  /** There is no background to remove: enough of it can be seen through (the rule is in `fit/checked-picture.ts`). */
  readonly isCutOut: boolean;
}

/** What lies behind a cut-out. Colours are `#rrggbb`. */
export type CutoutBackdrop =
  | { readonly kind: "color"; readonly color: string }
  /** `angle` in degrees, 0 from left to right, 90 from top to bottom; 90 when absent. */
  | {
      readonly kind: "gradient";
      readonly from: string;
      readonly to: string;
      readonly angle?: number;
    }
  /** Covers the canvas, centred, its proportions kept. */
  | { readonly kind: "picture"; readonly bytes: Uint8Array }
  /**
   * The picture's own background out of focus: only with a ZIP, whose colours still show it. `strength` 1 to 100, 40 when
   * absent. `of: "subject"`: the subject's colours instead, for a picture that never had a background.
   */
  | { readonly kind: "blur"; readonly strength?: number; readonly of?: "subject" };

/** A soft shadow below the subject; shares are of the subject's height. */
export interface SubjectShadow {
  /** 0 to 1; 0.5 when absent. */
  readonly opacity?: number;
  /** How soft its edge is; 0.03 when absent. */
  readonly blur?: number;
  /** How far it falls; 0.03 when absent. */
  readonly offset?: number;
}

/** A part of a picture, in its pixels. */
export interface PictureBox extends PictureDimensions {
  readonly left: number;
  readonly top: number;
}

/** Where the subject is, as remove.bg says. */
interface WithForeground {
  /**
   * In pixels of the cut-out. Used only if it fits the cut-out: the box lies within it, everything that is clearly visible
   * lies within the box, and the box is hardly larger than that. Otherwise, and when absent, the subject is searched for.
   */
  readonly foreground?: PictureBox;
}

/** A margin of a crop on each side; a percentage is of the subject's width or height. */
export type CropMargins = {
  readonly [side in "top" | "right" | "bottom" | "left"]: {
    readonly value: number;
    readonly unit: "px" | "%";
  };
};

export interface ComposeOptions extends JobOptions, WithForeground {
  /**
   * `auto`: with a backdrop JPG; without one PNG up to 10 megapixels, WebP above or when the PNG passes `maxBytes`.
   * JPG without a backdrop is laid on white.
   */
  readonly format: OutputFormat | "auto";
  /** When absent the picture stays transparent. */
  readonly backdrop?: CutoutBackdrop;
  /** Cuts off the empty space around the subject, except for a margin of 0 to 500 pixels or up to half of the subject. */
  readonly crop?: { readonly margin: number | CropMargins };
  readonly shadow?: SubjectShadow;
  /** Largest file that may come out, in bytes. */
  readonly maxBytes?: number;
  /** What is given up for `maxBytes`: nothing but pixels; when absent PNG first, then quality, then pixels. */
  readonly givesUp?: "pixels";
  /** Most pixels of a WebP or JPG. */
  readonly maxPixels?: number;
}

export interface ComposedCutout extends PictureDimensions {
  readonly bytes: Buffer;
  readonly format: OutputFormat;
  /** `asked`: as requested. `webp`: PNG was too large in bytes or pixels. `quality`: quality lowered. `smaller`: fewer pixels. */
  readonly fitted: "asked" | "webp" | "quality" | "smaller";
}

/** A square picture of the subject, cropped to it, with a transparent background. */
export interface SquareOptions extends JobOptions, WithForeground {
  /** Pixels. */
  readonly side: number;
  /** Largest file that may come out, in bytes; colours are given up before anything else. */
  readonly maxBytes: number;
  /** White rim round the subject in pixels, as stickers have it; none when absent. */
  readonly rim?: number;
}

/** A PNG of exactly the requested side. */
export interface SquarePicture {
  readonly bytes: Buffer;
  readonly side: number;
  /** `colors`: reduced to 256 colours or fewer. */
  readonly fitted: "asked" | "colors";
}

/** A background that is drawn in colours that suit the subject. */
export type ThumbnailLook = "bold" | "neon" | "sunny" | "rays";

export interface ThumbnailTitle {
  /** At most 100 characters; broken into lines and made as large as fits. */
  readonly text: string;
  /** `#rrggbb`; when absent white or black, whichever is easier to read there. */
  readonly color?: string;
  /** How its lines are aligned, and where they stand in their room; `center` when absent. */
  readonly align?: "left" | "center" | "right";
  /** One word in another colour; without `word` one is chosen, and so is the colour. None when absent. */
  readonly emphasis?: { readonly word?: string; readonly color?: string };
}

export interface ThumbnailOptions extends JobOptions, WithForeground, PictureDimensions {
  /** Anything but `blur`. */
  readonly backdrop:
    | Exclude<CutoutBackdrop, { readonly kind: "blur" }>
    | { readonly kind: "look"; readonly look: ThumbnailLook };
  /** Where the subject stands; the title takes the other side. `right` when absent. */
  readonly subject?: "left" | "center" | "right";
  /** The subject larger or smaller than it would be: 0.4 to 2.5; 1 when absent. */
  readonly zoom?: number;
  /** The subject moved to the right and down, in shares of the picture. */
  readonly shift?: { readonly x: number; readonly y: number };
  /** What is drawn around the subject: a white outline, or a glow in a colour that suits it. Nothing when absent. */
  readonly edge?: "outline" | "glow";
  /**
   * The picture was transparent before it came here: such pictures are trimmed to their subject, so nothing was cut off
   * where it touches their edges, and it gets a margin.
   */
  readonly isTrimmed?: boolean;
  readonly title?: ThumbnailTitle;
  readonly shadow?: SubjectShadow;
  /** A number in the corner, to name one of several thumbnails. */
  readonly number?: number;
  readonly maxBytes: number;
}

/** A JPEG of exactly the requested size. */
export interface ThumbnailPicture extends PictureDimensions {
  readonly bytes: Buffer;
  /** Characters of the title that the font does not have, each once; they were left out. */
  readonly missing: readonly string[];
}

export interface SheetOptions extends JobOptions {
  /** Longer side of the sheet in pixels; 1,200 when absent. */
  readonly side?: number;
  readonly maxBytes: number;
}

export interface PreviewOptions extends JobOptions {
  readonly place:
    | {
        readonly kind: "banner";
        /** What a television, a computer and a phone are called. */
        readonly labels: readonly [television: string, computer: string, phone: string];
      }
    | { readonly kind: "watermark" };
}

/** Bars from left to right, for a card. Values are zero or more. */
export interface ChartOptions extends JobOptions {
  /** Above the bars: what they show. */
  readonly title: string;
  readonly bars: readonly {
    /** Below the bar, such as a day; if there is no room for all, some are left out. */
    readonly label: string;
    readonly value: number;
    /** Above the bar, as it should read; the number itself when absent. */
    readonly shown?: string;
  }[];
  /** BCP 47 tag of the language that the scale's numbers are written in; English when absent. */
  readonly language?: string;
}

/**
 * How a picture lies in its place. `cover` fills it and leaves out what is beyond; `contain` shows the whole picture with
 * bars around it; `inside` only makes it smaller.
 */
export type FitShape = "cover" | "contain" | "inside";

/** Formats that YouTube takes for banners, thumbnails and watermarks. */
export type FitFormat = "jpeg" | "png";

export interface FitOptions extends JobOptions {
  /** The place in pixels: its ratio and its largest size. A smaller picture is never enlarged. */
  readonly width: number;
  readonly height: number;
  readonly shape: FitShape;
  /** The part of the picture that is used, in pixels of the upright picture; all of it when absent. */
  readonly part?: PictureBox;
  /** Smallest file that may come out, in pixels; 16 when absent. */
  readonly minWidth?: number;
  readonly minHeight?: number;
  /** Largest file that may come out, in bytes. */
  readonly maxBytes: number;
  /**
   * `keep` (when absent): a JPEG or PNG keeps its format; all others become a PNG if they are lossless or have
   * transparency and a JPEG otherwise. A PNG that would be too large becomes a JPEG if it has no transparency or can't get smaller.
   */
  readonly format?: FitFormat | "keep";
  /**
   * `#rrggbb`, for bars and for what was transparent in a JPEG. When absent both are white, but bars around a
   * transparent picture stay transparent in a PNG.
   */
  readonly background?: string;
}

export interface FittedPicture extends PictureDimensions {
  /** Oriented, without EXIF, XMP and IPTC, colour profile kept. The very same bytes when nothing had to change. */
  readonly bytes: Buffer;
  readonly format: FitFormat;
  /** The greatest change that was made: none, encoded again, fewer pixels, bars around it, parts left out. */
  readonly fitted: "unchanged" | "recompressed" | "resized" | "barred" | "cropped";
}

interface JobOptions {
  readonly signal?: AbortSignal;
}

/** Whose jobs they are: tenants take turns, and within a tenant its people. */
export interface PictureTurn extends TurnTaker {
  /** Called with the number of jobs ahead while a job waits, and with undefined when its turn has come. */
  readonly onQueued?: (ahead: number | undefined) => void;
}

/**
 * Picture work, done in a child process that is restarted when it dies and limited in memory and time.
 * A picture that can't be used is an InputError: `picture_empty`, `picture_type`, `picture_truncated`, `picture_unreadable`,
 * `picture_pixels`, `picture_too_large`, `picture_background`, `picture_opaque`,
 * `picture_no_subject` (nothing visible to crop to), `picture_no_background` (nothing left to blur), `png_too_large`; of a ZIP
 * ServiceError `cutout_damaged`.
 * A child that died or ran out of time or memory is ServiceError `picture_worker`.
 * A `cutout` is remove.bg's ZIP (`color.jpg`, `alpha.png`), or a PNG or WebP with transparency.
 */
export interface Images {
  /** The same workers, for the jobs of this tenant and person. All jobs without one wait together. */
  of(turn: PictureTurn): Images;
  /** Checks a picture by its bytes, without decoding it; with `isProven` every row is read, so that damage shows too. */
  inspect(
    bytes: Uint8Array,
    options?: JobOptions & { readonly isProven?: boolean },
  ): Promise<PictureInfo>;
  /**
   * Reads every row of remove.bg's result, a picture or its ZIP, so that damage shows.
   * @throws ServiceError `cutout_damaged`
   */
  prove(result: Uint8Array, options?: JobOptions): Promise<void>;
  /**
   * Makes a picture ready for remove.bg: without metadata, upright, in a format that it takes, and made smaller until
   * it has at most `maxBytes` and `maxPixels`.
   */
  prepare(bytes: Uint8Array, options: PrepareOptions): Promise<ServiceReadyPicture>;
  /**
   * Makes a picture fit a place, such as a banner, a thumbnail or a watermark: by its ratio, its pixels, its bytes.
   * Also refuses `picture_too_small` (facts `width`, `height`, `minWidth`, `minHeight`) and `picture_shape` (the same,
   * and `placeWidth` and `placeHeight`): so long or so tall that in this place less than the minimum is left.
   */
  fit(bytes: Uint8Array, options: FitOptions): Promise<FittedPicture>;
  /** Composes a cut-out. Refuses a picture without transparency as `picture_opaque`. */
  compose(cutout: Uint8Array, options: ComposeOptions): Promise<ComposedCutout>;
  /** Makes the picture of a sticker or an emoji from a cut-out. */
  square(cutout: Uint8Array, options: SquareOptions): Promise<SquarePicture>;
  /** Lays a cut-out and a title onto a backdrop. */
  thumbnail(cutout: Uint8Array, options: ThumbnailOptions): Promise<ThumbnailPicture>;
  /**
   * Shows 2 to 12 pictures on one WebP: two side by side (before and after), more in rows. What is transparent shows a
   * checkerboard.
   */
  sheet(pictures: readonly Uint8Array[], options: SheetOptions): Promise<Buffer>;
  /** Shows a banner as screens of each kind do, or a watermark on a video; a WebP 1,280 pixels wide. */
  preview(picture: Uint8Array, options: PreviewOptions): Promise<Buffer>;
  /** The characters of a thumbnail's title that no font here has. */
  unwritable(title: string, options?: JobOptions): Promise<readonly string[]>;
  /** A bar chart as a PNG of 800 x 320 pixels that can be read on light and on dark. */
  chart(options: ChartOptions): Promise<Buffer>;
  /** Jobs waiting and running, for progress and metrics. */
  load(): { readonly waiting: number; readonly running: number };
  close(): Promise<void>;
}

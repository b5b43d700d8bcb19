import type { PictureBox } from "../images/index.ts";
import type { RemovalParameters, ResultSize } from "./parameters.ts";

/** Most megapixels of a result by its size: docs/services/removebg.md#sizes */
export const maxResultMegapixels = {
  auto: 25,
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  "50MP": 50,
} as const satisfies Record<ResultSize, number>;

/** Most pixels of a PNG result, whatever size is asked for. */
export const maxPngResultPixels = 10_000_000;

/**
 * Needs exactly one of `image`, `imageFileB64` and `imageUrl`, and at most one background; an empty text counts as absent.
 */
export interface RemoveBackgroundRequest extends RemovalParameters {
  /** Sent as `image_file`, or as `image_file_b64` in a body that can hold no file. */
  readonly image?: Uint8Array;
  /** File name sent along with `image`. */
  readonly imageName?: string;
  /** Base64, with or without a `data:` prefix; sent as `image_file_b64` in every body. */
  readonly imageFileB64?: string;
  /** remove.bg fetches it; http or https. */
  readonly imageUrl?: string;
  /** Input megapixels, for pacing. When absent they are read from the picture; an address counts as one megapixel. */
  readonly megapixels?: number;
  /** Needs a multipart body. */
  readonly bgImageFile?: Uint8Array;
}

export interface RateLimit {
  /** Megapixel images a minute. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** What the last answer to a key said about its rate; valid until `resetAt`. */
export interface SeenRateLimit extends RateLimit {
  readonly seenAt: Date;
}

/** An option of the request that was sent differently, or not at all. */
export type RequestNotice = "size_regular" | "add_shadow" | "shadow_method" | "crop_margin_unused";

export interface Removal {
  /** The file as remove.bg sent it: a ZIP when `format` is `zip`. */
  readonly image: Buffer;
  /** By its bytes; by the answer's Content-Type if they say nothing, and are damaged. */
  readonly format: "png" | "jpg" | "webp" | "zip";
  /** Result pixels; absent when the answer does not say. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Result pixels; absent when the answer does not say, or may mean pixels of the input. */
  readonly foreground: PictureBox | undefined;
  /** What remove.bg took the foreground for; unknown values pass. */
  readonly type: string | undefined;
  /** May have fractions. Absent does not mean zero. */
  readonly creditsCharged: number | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly notices: readonly RequestNotice[];
}

export interface CreditAccount {
  /** May have fractions. */
  readonly credits: {
    readonly total: number;
    readonly subscription: number;
    readonly payg: number;
    readonly enterprise: number;
  };
  /** Free calls left this month. */
  readonly api: { readonly freeCalls: number };
}

/** A picture for training remove.bg, only if its owner explicitly wants that. Needs exactly one source, as above. */
export interface ImproveRequest
  extends Pick<RemoveBackgroundRequest, "image" | "imageFileB64" | "imageUrl"> {
  readonly imageFilename?: string;
  /** Pictures with one tag are grouped. */
  readonly tag?: string;
}

export interface ImproveResult {
  /** UUID of the submission. */
  readonly id: string;
}

/** Only `multipart` can hold files; in the others bytes are sent as base64. */
export type RequestBodyKind = "multipart" | "form" | "json";

export interface BackgroundCallOptions {
  readonly signal?: AbortSignal;
  /** `multipart` when absent. */
  readonly body?: RequestBodyKind;
}

/** The place of a call that waits for its turn. */
export interface QueuePlace {
  /** Calls that start before it. */
  readonly ahead: number;
  /** Milliseconds until it is expected to start. */
  readonly waitMs: number;
}

export interface RemoveOptions extends BackgroundCallOptions {
  /** `file` when absent: JSON takes a third more. The result is the same. */
  readonly answer?: "file" | "json";
  /** Called when the call has to wait, and whenever its place changes. */
  readonly onQueued?: (place: QueuePlace) => void;
  /** Awaited when it is the call's turn, before anything is sent; what it throws ends the call. */
  readonly onSend?: () => Promise<void>;
}

/** What removes the background: remove.bg or a service that answers as it does, or rembg's HTTP server. */
export const backgroundEngines = ["removebg", "rembg"] as const;
export type BackgroundEngine = (typeof backgroundEngines)[number];

/** remove.bg's three operations with one API key. Failures are BotErrors; see `failure.ts`. */
export interface BackgroundClient {
  /**
   * POST /removebg. What can be checked is refused before anything is sent; a call waits for its turn among all calls
   * of the key, and is never sent again once its answer may have been lost.
   * @throws InputError by remove.bg's codes; LimitError `credits_gone`, `rate_limited`, `busy`; ConnectError
   * `background_key_refused`; NetworkError `result_lost`; ServiceError.
   */
  removeBackground(request: RemoveBackgroundRequest, options?: RemoveOptions): Promise<Removal>;
  /** Checks that the engine answers and takes the key; costs nothing. @throws BotError that says what is wrong */
  probe(options?: Pick<BackgroundCallOptions, "signal">): Promise<void>;
  /** GET /account. @throws ConnectError `engine_without` from an engine that has none; `improve` does so too. */
  account(options?: Pick<BackgroundCallOptions, "signal">): Promise<CreditAccount>;
  /** What the last answer to any client of this key said about its rate; undefined until one has. */
  rateLimit(): SeenRateLimit | undefined;
  /** POST /improve, with the image owner's consent only. */
  improve(request: ImproveRequest, options?: BackgroundCallOptions): Promise<ImproveResult>;
}

export type Size = "auto" | "preview" | "small" | "medium" | "hd" | "full" | "4k" | "50MP";
export type Format = "auto" | "png" | "jpg" | "webp" | "zip";
export type ForegroundType =
  | "auto"
  | "person"
  | "product"
  | "car"
  | "animal"
  | "graphic"
  | "transportation";

/** Exactly one of `image` and `imageUrl`. Fields carry the API's names in camelCase. */
export interface RemoveBackgroundRequest {
  readonly image?: Uint8Array;
  /** File name sent along with `image`. */
  readonly imageName?: string;
  readonly imageUrl?: string;
  /** Input megapixels, for pacing; taken from the picture when known. */
  readonly megapixels?: number;
  /** `auto` when absent, because the service's own default is a preview. */
  readonly size?: Size;
  readonly format?: Format;
  readonly type?: ForegroundType;
  readonly bgColor?: string;
  readonly crop?: boolean;
}

export interface RateLimit {
  /** Megapixel images a minute. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

export interface Removal {
  /** The file as the service sent it: a ZIP when `format` is `zip`. */
  readonly image: Buffer;
  /** By the answer's Content-Type. */
  readonly format: "png" | "jpg" | "webp" | "zip";
  /** Result pixels; absent when the answer does not say. */
  readonly foreground: { top: number; left: number; width: number; height: number } | undefined;
  /** What the service took the foreground for; unknown values pass. */
  readonly type: string | undefined;
  /** Absent is not zero. */
  readonly creditsCharged: number | undefined;
  readonly rateLimit: RateLimit | undefined;
}

export interface Account {
  readonly credits: {
    readonly total: number;
    readonly subscription: number;
    readonly payg: number;
    readonly enterprise: number;
  };
  readonly api: { readonly freeCalls: number };
}

export interface RemoveOptions {
  readonly signal?: AbortSignal;
}

export interface BackgroundClient {
  /** POST /removebg. */
  removeBackground(request: RemoveBackgroundRequest, options?: RemoveOptions): Promise<Removal>;
  /** GET /account. */
  account(options?: RemoveOptions): Promise<Account>;
}

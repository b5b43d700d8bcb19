/**
 * What resources have in common. Only fields that the bot uses are named; YouTube may add others, and any part that
 * was not asked for is absent. 64-bit numbers are sent as strings, times as RFC 3339.
 */

declare const later: unique symbol;

/** A value that YouTube may add in future. Our own texts don't have this type, so bodies are still checked. */
export type LaterValue = string & { readonly [later]: true };

/** One of these values, or one that was added later. */
export type OneOf<Value extends string> = Value | LaterValue;

/** The part that every resource has; unknown fields pass through. */
export interface ResourceBase {
  readonly kind?: string;
  readonly etag?: string;
  readonly [field: string]: unknown;
}

export interface Thumbnail {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

export type ThumbnailSize =
  | "default"
  | "medium"
  | "high"
  | "standard"
  | "maxres"
  | "fhd"
  | "qhd"
  | "uhd";

/** Each resource has only some of the sizes. */
export type Thumbnails = { readonly [Size in ThumbnailSize]?: Thumbnail };

/** Points to a resource of the kind that `kind` names. */
export interface ResourceId {
  readonly kind: string;
  readonly videoId?: string;
  readonly channelId?: string;
  readonly playlistId?: string;
}

export interface Localized {
  readonly title?: string;
  readonly description?: string;
}

/** By language code. */
export type Localizations = Readonly<Record<string, Localized>>;

export type PrivacyStatus = OneOf<"public" | "unlisted" | "private">;
export type LiveBroadcastContent = OneOf<"none" | "upcoming" | "live" | "completed">;

/** What a card shows of anything that was published. */
export interface ResourceSnippet extends Localized {
  readonly publishedAt?: string;
  readonly channelId?: string;
  readonly channelTitle?: string;
  readonly thumbnails?: Thumbnails;
}

/** One page of a list. */
export interface ResourcePage<Item> {
  readonly kind?: string;
  readonly etag?: string;
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
  readonly prevPageToken?: string;
  /** `totalResults` is an estimate; a list ends if there is no page token. */
  readonly pageInfo?: { readonly totalResults?: number; readonly resultsPerPage?: number };
  readonly [field: string]: unknown;
}

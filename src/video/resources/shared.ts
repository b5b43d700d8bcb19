/**
 * What resources have in common. Only fields that are shown or decided by are named; the service adds others at will,
 * and any part that was not asked for is absent. 64-bit numbers travel as strings, times as RFC 3339.
 */

declare const later: unique symbol;

/** A value that the service may begin to send any day. Text of one's own is none, so that bodies stay checked. */
export type LaterValue = string & { readonly [later]: true };

/** One of these values, or one that came later. */
export type OneOf<Value extends string> = Value | LaterValue;

/** The part that every resource has; unknown fields pass through. */
export interface Base {
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

/** Which sizes there are differs from one resource to the next. */
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

export type Privacy = OneOf<"public" | "unlisted" | "private">;
export type LiveState = OneOf<"none" | "upcoming" | "live" | "completed">;

/** What a card shows of anything that was published. */
export interface Snippet extends Localized {
  readonly publishedAt?: string;
  readonly channelId?: string;
  readonly channelTitle?: string;
  readonly thumbnails?: Thumbnails;
}

/** One page of a list. */
export interface Page<Item> {
  readonly kind?: string;
  readonly etag?: string;
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
  readonly prevPageToken?: string;
  /** `totalResults` is an estimate: page by token until there is none. */
  readonly pageInfo?: { readonly totalResults?: number; readonly resultsPerPage?: number };
  readonly [field: string]: unknown;
}

import type { ModerationStatus } from "../../video/index.ts";
import type { Press } from "./reply.ts";

/** Puts an action on a button that does not know its handler: the name, and how its state comes about. */
export type NamedPress<A extends readonly unknown[], S> = ((...args: A) => Press) & {
  readonly action: string;
  /** Never there: what a handler of that name gets. */
  readonly state?: S;
};

/** Names an action whose handler is declared elsewhere, with `actionFor`, so that neither spells the name again. */
export function pressFor<A extends readonly unknown[], S>(
  action: string,
  stateOf: (...args: A) => S,
): NamedPress<A, S> {
  return Object.assign((...args: A): Press => ({ action, state: stateOf(...args) }), { action });
}

export interface DecideState {
  readonly ids: readonly string[];
  readonly status: Extract<ModerationStatus, "published" | "heldForReview" | "rejected">;
  readonly banAuthor?: boolean;
}

/** A channel to be linked anew, with what is to be ticked beforehand. */
interface ReconnectState {
  readonly channelId?: string | undefined;
  /** Added to what it has. */
  readonly permission?: string | undefined;
}

/**
 * The next steps that cards offer, by what they are about. Each is carried out by whichever flow it belongs to; a test
 * holds that every one is.
 */
export const presses = {
  video: {
    details: pressFor("videos.details", (id: string) => ({ id })),
    comments: pressFor("comments.of-video", (id: string, title?: string) => ({ id, title })),
    captions: pressFor("captions.of-video", (id: string, title?: string) => ({ id, title })),
    /** A form for thumbs up, down or neither is not needed: one press is one rating. */
    rate: pressFor("videos.rate-it", (id: string, rating: "like" | "dislike" | "none") => ({
      id,
      rating,
    })),
    /** Opens a choice of the channel's playlists. */
    addToPlaylist: pressFor("playlists.choose", (ids: readonly string[]) => ({ ids })),
    /** Opens a form that takes a picture. */
    thumbnail: pressFor("branding.thumbnail-form", (id: string) => ({ id })),
    /** Opens the form with title, description and tags, which are read first. */
    edit: pressFor("videos.show-edit", (id: string) => ({ id })),
    remove: pressFor("videos.ask-delete", (id: string) => ({ id })),
    report: pressFor("videos.report-it", (id: string) => ({ id })),
  },
  playlist: {
    details: pressFor("playlists.details", (id: string) => ({ id })),
    items: pressFor("playlists.items", (id: string) => ({ id })),
    edit: pressFor("playlists.show-edit", (id: string) => ({ id })),
    remove: pressFor("playlists.ask-delete", (id: string) => ({ id })),
  },
  channel: {
    details: pressFor("channels.details", (id: string) => ({ id })),
    uploads: pressFor("playlists.uploads-of", (id: string) => ({ id })),
    playlists: pressFor("playlists.of-channel", (id: string) => ({ id })),
    sections: pressFor("channels.sections-of", (id: string) => ({ id })),
    subscribe: pressFor("subscriptions.subscribe", (id: string) => ({ id })),
  },
  comment: {
    replies: pressFor("comments.replies-of", (id: string) => ({ id })),
    /** Opens a form. */
    reply: pressFor("comments.reply-form", (id: string, author?: string) => ({ id, author })),
    /** Opens a form with the text as it stands. */
    edit: pressFor("comments.edit-form", (id: string, text: string) => ({ id, text })),
    remove: pressFor("comments.ask-delete", (id: string) => ({ id })),
    decide: pressFor("comments.decide", (state: DecideState) => state),
  },
  captions: {
    /** Says the price, then gives the file. */
    download: pressFor("captions.ask-download", (id: string, name: string) => ({ id, name })),
    remove: pressFor("captions.ask-delete", (id: string, name: string) => ({ id, name })),
  },
  connection: {
    /** Begins a link in a message of its own. */
    reconnect: pressFor("connect.reconnect", (state: ReconnectState) => state),
  },
} as const;

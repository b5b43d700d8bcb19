import { openKeyForm, pressFor, reconnect } from "../../discord/index.ts";
import type { ModerationStatus } from "../../video/index.ts";

export interface DecideState {
  readonly ids: readonly string[];
  readonly status: Extract<ModerationStatus, "published" | "heldForReview" | "rejected">;
  readonly banAuthor?: boolean;
}

/**
 * The next steps that cards offer, by the kind of card. Each is handled by the feature that it belongs to; a test checks
 * that none is missing.
 */
export const presses = {
  video: {
    details: pressFor("videos.details", (id: string) => ({ id })),
    comments: pressFor("comments.of-video", (id: string, title?: string) => ({ id, title })),
    captions: pressFor("captions.of-video", (id: string, title?: string) => ({ id, title })),
    /** One press is one rating, so there is no form. */
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
    reply: pressFor("comments.reply-form", (id: string, author?: string, text?: string) => ({
      id,
      author,
      text,
    })),
    /** Opens a form with the current text. */
    edit: pressFor("comments.edit-form", (id: string, text: string) => ({ id, text })),
    remove: pressFor("comments.ask-delete", (id: string) => ({ id })),
    decide: pressFor("comments.decide", (state: DecideState) => state),
    /** Goes through the waiting comments one by one: those of one watch, or of all. */
    review: pressFor("review.open", (watchId?: string) =>
      watchId === undefined ? {} : { watchId },
    ),
  },
  captions: {
    /** Says the price, then gives the file. */
    download: pressFor("captions.ask-download", (id: string, name: string) => ({ id, name })),
    remove: pressFor("captions.ask-delete", (id: string, name: string) => ({ id, name })),
  },
  connection: {
    reconnect,
    /** Opens the form for a key. */
    enterKey: openKeyForm,
  },
  /** Asks whether held comments may appear in the channel where it is pressed. */
  watch: { offerHere: pressFor("watch.offer-here", () => null) },
  /** Opens the form for a picture whose background goes. */
  picture: { form: pressFor("background.open-form", () => null) },
} as const;

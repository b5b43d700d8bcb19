import type { ModerationStatus } from "../../video/index.ts";
import type { Press } from "./reply.ts";

// What cards offer is carried out by whichever command it belongs to, so these actions are known by name. Their
// declarations in `commands/` take the same states; a test holds that every name here is declared.

export interface VideoState {
  readonly id: string;
}

export interface DecideState {
  readonly ids: readonly string[];
  readonly status: Extract<ModerationStatus, "published" | "heldForReview" | "rejected">;
  readonly banAuthor?: boolean;
}

/** A channel to be linked anew, with what is to be ticked beforehand. */
export interface ReconnectState {
  readonly channelId?: string | undefined;
  /** Added to what it has. */
  readonly permission?: string | undefined;
}

/** The next steps that cards offer, by what they are about. */
export const presses = {
  video: {
    details: (id: string) => press("videos.details", { id }),
    comments: (id: string, title?: string) => press("comments.of-video", { id, title }),
    captions: (id: string, title?: string) => press("captions.of-video", { id, title }),
    /** A form for thumbs up, down or neither is not needed: one press is one rating. */
    rate: (id: string, rating: "like" | "dislike" | "none") =>
      press("videos.rate-it", { id, rating }),
    /** Opens a choice of the channel's playlists. */
    addToPlaylist: (ids: readonly string[]) => press("playlists.choose", { ids }),
    /** Opens a form that takes a picture. */
    thumbnail: (id: string) => press("branding.thumbnail-form", { id }),
    /** Opens the form with title, description and tags, which are read first. */
    edit: (id: string) => press("videos.show-edit", { id }),
    remove: (id: string) => press("videos.ask-delete", { id }),
    report: (id: string) => press("videos.report-it", { id }),
  },
  playlist: {
    details: (id: string) => press("playlists.details", { id }),
    items: (id: string) => press("playlists.items", { id }),
    edit: (id: string) => press("playlists.show-edit", { id }),
    remove: (id: string) => press("playlists.ask-delete", { id }),
  },
  channel: {
    details: (id: string) => press("channels.details", { id }),
    uploads: (id: string) => press("playlists.uploads-of", { id }),
    playlists: (id: string) => press("playlists.of-channel", { id }),
    sections: (id: string) => press("channels.sections-of", { id }),
    subscribe: (id: string) => press("subscriptions.subscribe", { id }),
  },
  comment: {
    replies: (id: string) => press("comments.replies-of", { id }),
    /** Opens a form. */
    reply: (id: string, author?: string) => press("comments.reply-form", { id, author }),
    /** Opens a form with the text as it stands. */
    edit: (id: string, text: string) => press("comments.edit-form", { id, text }),
    remove: (id: string) => press("comments.ask-delete", { id }),
    decide: (state: DecideState) => press("comments.decide", state),
  },
  captions: {
    /** Says the price, then gives the file. */
    download: (id: string, name: string) => press("captions.ask-download", { id, name }),
    remove: (id: string, name: string) => press("captions.ask-delete", { id, name }),
  },
  connection: {
    /** Begins a link in a message of its own. */
    reconnect: (state: ReconnectState) => press("connect.reconnect", state),
  },
} as const;

function press(action: string, state: unknown): Press {
  return { action, state };
}

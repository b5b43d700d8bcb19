/** Messages of the queue: sent once, and kept as what they show. */

export { type Announce, type AnnounceParts, createAnnounce } from "./announce.ts";
export { createRedraws, type RedrawParts, type Redraws } from "./redraws.ts";
export { createView, type View } from "./view.ts";

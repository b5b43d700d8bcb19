export { channelThumbnails, videoThumbnails } from "./addresses.ts";
export { createGallery, type Gallery } from "./gallery.ts";

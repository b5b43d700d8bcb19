export { buildWorld } from "./build.ts";
export { mintId } from "./ids.ts";
export { categories, categoryChannelId, regionCodes } from "./places.ts";
export { publishDue } from "./publishing.ts";
export { seededRandom } from "./random.ts";
export type { Channel, Item, Playlist, Video, World } from "./types.ts";
export { findPlaylist, likesId, uploadsId } from "./uploads.ts";

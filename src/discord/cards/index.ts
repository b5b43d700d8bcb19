export { channelCard } from "./channel.ts";
export { clockTime, plural, shortNumber, unescapeHtml } from "./numbers.ts";
export { playlistCard } from "./playlist.ts";
export { smallThumbnail } from "./thumbnail.ts";
export { videoCard } from "./video.ts";

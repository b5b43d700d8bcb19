/** What a channel and its videos look like. */
export { banner } from "./banner.ts";
export { mediaOf, pictureGone, placePicture } from "./picture.ts";
export { ownVideo, thumbnail } from "./thumbnail.ts";
export { watermark, watermarkTimes } from "./watermark.ts";

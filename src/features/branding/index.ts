/** The pictures of a channel and its videos: banner, thumbnails, watermark. */
export { channelBanner } from "./banner.ts";
export { fitPictureToPlace, pictureGoneError, pictureMedia } from "./picture.ts";
export { readVideoToBrand, videoThumbnail } from "./thumbnail.ts";
export { channelWatermark } from "./watermark.ts";

export { channelThumbnails, videoThumbnails } from "./addresses.ts";
export { addPictures } from "./routes.ts";

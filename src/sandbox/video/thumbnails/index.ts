export {
  attachedPicture,
  channelThumbnails,
  profilePicture,
  videoThumbnails,
} from "./addresses.ts";
export { addPictures } from "./gallery.ts";

import {
  addChannelSection,
  maxCommentChars,
  moderateComments,
  postComment,
  replyToComment,
  setBanner,
  specialPlaylistItems,
  specialPlaylists,
  updateResource,
} from "../video/index.ts";

/** What takes the service more than one call, for the commands. */
export const rules = {
  addChannelSection,
  maxCommentChars,
  moderateComments,
  postComment,
  replyToComment,
  setBanner,
  specialPlaylistItems,
  specialPlaylists,
  updateResource,
} as const;

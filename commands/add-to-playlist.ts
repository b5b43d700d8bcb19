import { menu, playlists } from "../src/features/index.ts";

export default menu({
  title: "Add to playlist",
  method: "playlistItems.insert",
  uses: ["videos.list", "playlists.list"],
  run: (ctx, message) => playlists.askForPlaylist(ctx, { ids: playlists.videosInMessage(message) }),
});

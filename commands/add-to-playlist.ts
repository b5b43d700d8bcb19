import { menu, playlists } from "../src/discord/index.ts";

export default menu({
  title: "Add to playlist",
  row: "playlistItems.insert",
  uses: ["videos.list", "playlists.list"],
  run: (ctx, message) => playlists.chooser(ctx, { ids: playlists.videosOfMessage(message) }),
});

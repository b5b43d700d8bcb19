import { menu } from "../src/discord/index.ts";
import { playlists } from "../src/flows/index.ts";

export default menu({
  title: "Add to playlist",
  row: "playlistItems.insert",
  uses: ["videos.list", "playlists.list"],
  run: (ctx, message) => playlists.chooser(ctx, { ids: playlists.videosOfMessage(message) }),
});

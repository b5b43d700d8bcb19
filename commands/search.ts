import { command } from "../src/discord/index.ts";
import { subcommand, youtubeSearch } from "../src/features/index.ts";

export default command({
  run: subcommand({
    method: "search.list",
    uses: ["videos.list", "channels.list"],
    decides: ["part"],
    options: youtubeSearch.options,
    run: youtubeSearch.open,
  }),
  actions: youtubeSearch.actions,
});

import { command } from "../src/discord/index.ts";
import { activity, subcommand } from "../src/features/index.ts";

export default command({
  run: subcommand({
    method: "activities.list",
    uses: ["channels.list", "playlists.list"],
    decides: ["mine"],
    options: activity.options,
    run: activity.open,
  }),
  actions: activity.actions,
});

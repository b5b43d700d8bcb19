import { command } from "../src/discord/index.ts";
import { gettingStarted, subcommand } from "../src/features/index.ts";

export default command({
  run: subcommand({
    answer: "private",
    isRepeatable: true,
    wants: ["video-key", "channel", "background-key"],
    run: gettingStarted.start,
  }),
  actions: gettingStarted.actions,
  notifications: gettingStarted.events,
});

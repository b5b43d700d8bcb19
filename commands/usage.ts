import { command } from "../src/discord/index.ts";
import { subcommand, usageReport } from "../src/features/index.ts";

export default command({
  run: subcommand({
    isRepeatable: true,
    answer: "private",
    wants: ["video-key", "channel", "background-key"],
    options: usageReport.options,
    run: usageReport.show,
  }),
  actions: usageReport.actions,
});

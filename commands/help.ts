import { command } from "../src/discord/index.ts";
import { gettingStarted, option, subcommand } from "../src/features/index.ts";

export default command({
  run: subcommand({
    answer: "private",
    isRepeatable: true,
    options: { query: option.text({ max: 100, suggest: gettingStarted.suggestCommands }) },
    run: gettingStarted.help,
  }),
});

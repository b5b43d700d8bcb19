import { command, option, subcommand } from "../src/discord/index.ts";
import { groupings, periods, usages } from "../src/flows/index.ts";

export default command({
  run: subcommand({
    answer: "private",
    wants: ["video-key", "channel", "background-key"],
    options: {
      days: option.choice({ group: "usage-days", values: periods }),
      by: option.choice({ group: "usage-by", values: groupings }),
      output: option.choice({ group: "output", values: ["list", "csv", "json"] }),
    },
    run: (ctx) => {
      const { days, by } = ctx.options;
      // `raw` is what a service answered, and none is asked here.
      const output = ctx.output === "raw" ? "list" : ctx.output;
      return usages.show(ctx, { days, by, output });
    },
  }),
  actions: [...usages.actions],
});

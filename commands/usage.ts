import { command } from "../src/discord/index.ts";
import { option, subcommand, usageReport } from "../src/features/index.ts";

export default command({
  run: subcommand({
    isRepeatable: true,
    answer: "private",
    wants: ["video-key", "channel", "background-key"],
    options: {
      days: option.choice({ group: "usage-days", values: usageReport.periods }),
      by: option.choice({ group: "usage-by", values: usageReport.groupings }),
      output: option.choice({ group: "output", values: ["list", "csv", "json"] }),
    },
    run: (ctx) => {
      const { days, by } = ctx.options;
      // `raw` is a service's answer, and no service is called here.
      const output = ctx.output === "raw" ? "list" : ctx.output;
      return usageReport.show(ctx, { days, by, output });
    },
  }),
  actions: [...usageReport.actions],
});

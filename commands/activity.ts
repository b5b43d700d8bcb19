import { command } from "../src/discord/index.ts";
import { activity, option, subcommand, suggest } from "../src/features/index.ts";

export default command({
  run: subcommand({
    method: "activities.list",
    uses: ["channels.list", "playlists.list"],
    decides: ["mine"],
    options: {
      channel: option.channel({ covers: "channelId", suggest: suggest.channels }),
      after: option.date({
        must: "past",
        covers: "publishedAfter",
        suggest: suggest.pastDates,
      }),
      before: option.date({ covers: "publishedBefore", suggest: suggest.pastDates }),
      region: option.country({ covers: "regionCode", suggest: suggest.regions }),
    },
    run: (ctx) => activity.open(ctx, ctx.options),
  }),
  actions: activity.actions,
});

import { command, gone, option, subcommand, videoCard } from "../src/discord/index.ts";

export default command({
  description: "Videos",
  subcommands: {
    show: subcommand({
      description: "Show a video with its numbers",
      row: "videos.list",
      options: {
        video: option.video({ description: "Its link or id", required: true }),
      },
      run: async (ctx) => {
        const part = ["snippet", "contentDetails", "statistics", "status"] as const;
        const wanted = { part, id: [ctx.options.video] };
        const { items } = await ctx.video.call("videos.list", wanted, ctx);
        return items[0] === undefined ? gone("video") : videoCard(items[0], ctx.locale);
      },
    }),
  },
});

import { command, notice, subcommand } from "../src/discord/index.ts";

export default command({
  hiddenFromMembers: true,
  subcommands: {
    list: subcommand({
      rank: "moderator",
      answer: "private",
      run: async ({ words }) => notice({ tone: "info", title: words.say("rules.list.title") }),
    }),
  },
});

import { command } from "../src/discord/index.ts";
import { memberLists, option, subcommand, suggest } from "../src/features/index.ts";

export default command({
  subcommands: {
    list: subcommand({
      method: "members.list",
      uses: ["membershipsLevels.list", "channels.list"],
      options: {
        level: option.field("members.list", "hasAccessToLevel", { suggest: suggest.memberLevels }),
        mode: option.field("members.list", "mode", { group: "member_mode" }),
        members: option.channels({ covers: "filterByMemberChannelId" }),
      },
      run: (ctx) => memberLists.open(ctx, ctx.options),
    }),
    levels: subcommand({
      method: "membershipsLevels.list",
      run: (ctx) => memberLists.openLevels(ctx),
    }),
  },
  actions: memberLists.actions,
});

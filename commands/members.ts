import { command } from "../src/discord/index.ts";
import { memberLists, subcommand } from "../src/features/index.ts";

export default command({
  subcommands: {
    list: subcommand({
      method: "members.list",
      uses: ["membershipsLevels.list", "channels.list"],
      options: memberLists.options,
      run: memberLists.open,
    }),
    levels: subcommand({
      method: "membershipsLevels.list",
      run: memberLists.openLevels,
    }),
  },
  actions: memberLists.actions,
});

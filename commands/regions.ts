import { command } from "../src/discord/index.ts";
import { languageList, option, regionList, subcommand } from "../src/features/index.ts";

export default command({
  subcommands: {
    list: subcommand({
      method: "i18nRegions.list",
      options: { filter: option.text({ max: 100 }) },
      run: (ctx) => regionList.open(ctx, { filter: ctx.options.filter }),
    }),
    languages: subcommand({
      method: "i18nLanguages.list",
      options: { filter: option.text({ max: 100 }) },
      run: (ctx) => languageList.open(ctx, { filter: ctx.options.filter }),
    }),
  },
  actions: [...regionList.actions, ...languageList.actions],
});

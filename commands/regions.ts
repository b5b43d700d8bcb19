import { command, option, subcommand } from "../src/discord/index.ts";
import { languages, regions } from "../src/flows/index.ts";

export default command({
  subcommands: {
    list: subcommand({
      row: "i18nRegions.list",
      options: { filter: option.text({ max: 100 }) },
      run: (ctx) => regions.open(ctx, { filter: ctx.options.filter }),
    }),
    languages: subcommand({
      row: "i18nLanguages.list",
      options: { filter: option.text({ max: 100 }) },
      run: (ctx) => languages.open(ctx, { filter: ctx.options.filter }),
    }),
  },
  actions: [...regions.actions, ...languages.actions],
});

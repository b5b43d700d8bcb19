import { browse, command, option, subcommand } from "../src/discord/index.ts";
import { sought } from "../src/flows/index.ts";

interface Query {
  readonly filter?: string | undefined;
}

/** One line each, so that many stand on a page. */
const perPage = 15;

const regions = browse<"i18nRegions.list", Query>({
  name: "regions.list",
  row: "i18nRegions.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) =>
    sought(items, { filter, words, of: ({ id = "" }) => ({ id, name: words.country(id) }) }),
  title: (_, words) => words.say("regions.list.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: ({ id = "" }, { words }) => ({ title: `${words.country(id)} · ${id}`, lines: [] }),
  empty: (words) => words.say("regions.empty"),
  columns: { id: ({ id }) => id, name: ({ snippet }) => snippet?.name },
  perPage,
});

const languages = browse<"i18nLanguages.list", Query>({
  name: "regions.languages",
  row: "i18nLanguages.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) =>
    sought(items, { filter, words, of: ({ id = "" }) => ({ id, name: words.language(id) }) }),
  title: (_, words) => words.say("regions.languages.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: ({ id = "" }, { words }) => ({ title: `${words.language(id)} · ${id}`, lines: [] }),
  empty: (words) => words.say("regions.empty"),
  columns: { id: ({ id }) => id, name: ({ snippet }) => snippet?.name },
  perPage,
});

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

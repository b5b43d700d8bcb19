import { browse, command, type Item, option, subcommand } from "../src/discord/index.ts";
import { sought } from "../src/flows/index.ts";
import type { I18nLanguage, I18nRegion } from "../src/video/index.ts";

interface Query {
  readonly filter?: string | undefined;
}

/** One line each, so that many stand on a page. */
const perPage = 15;

const regions = browse<"i18nRegions.list", Query>({
  name: "regions.list",
  row: "i18nRegions.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) => sought(items, { filter, words, of: nameOf }),
  title: (_, words) => words.say("regions.list.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: draw,
  empty: (words) => words.say("regions.empty"),
  columns: { id: ({ id }) => id, name: ({ snippet }) => snippet?.name },
  perPage,
});

const languages = browse<"i18nLanguages.list", Query>({
  name: "regions.languages",
  row: "i18nLanguages.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) => sought(items, { filter, words, of: nameOf }),
  title: (_, words) => words.say("regions.languages.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: draw,
  empty: (words) => words.say("regions.empty"),
  columns: { id: ({ id }) => id, name: ({ snippet }) => snippet?.name },
  perPage,
});

/** As the service calls it in the language that it was asked in. */
function nameOf({ id = "", snippet }: I18nLanguage | I18nRegion) {
  return { id, name: snippet?.name ?? id };
}

function draw(one: I18nLanguage | I18nRegion): Item {
  const { id, name } = nameOf(one);
  return { title: `${name} · ${id}`, lines: [] };
}

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

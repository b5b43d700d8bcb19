import { browse, type Item, matching, type Words } from "../../discord/index.ts";
import type { I18nLanguage, I18nRegion } from "../../video/index.ts";

interface Query {
  readonly filter?: string | undefined;
}

/** One line each, so that many stand on a page. */
const perPage = 15;

/** The countries that the service knows. */
export const regions = browse<"i18nRegions.list", Query>({
  name: "regions.list",
  row: "i18nRegions.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) => sought(items, filter, words),
  title: (_, words) => words.say("regions.list.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: draw,
  empty: (words) => words.say("regions.empty"),
  columns: { id: ({ id }) => id, name: ({ snippet }) => snippet?.name },
  perPage,
});

/** The languages that the service knows. */
export const languages = browse<"i18nLanguages.list", Query>({
  name: "regions.languages",
  row: "i18nLanguages.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) => sought(items, filter, words),
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

/** The entries that hold every word of what was typed, in the order of their names; all of them without it. */
function sought<I extends I18nLanguage | I18nRegion>(
  items: readonly I[],
  filter: string | undefined,
  words: Words,
): readonly I[] {
  const { compare } = new Intl.Collator(words.tag);
  const named = items.map((item) => ({ item, ...nameOf(item) }));
  const byId = new Map(named.map((one) => [one.id, one.item]));
  const candidates = named
    .sort((a, b) => compare(a.name, b.name))
    .map(({ id, name }) => ({ value: id, title: name, also: [id] }));
  return matching(filter ?? "", candidates).flatMap<I>(({ value }) => byId.get(`${value}`) ?? []);
}

import type { ReplyItem, Words } from "../../discord/index.ts";
import { namesOfCountry, namesOfLanguage } from "../../language/index.ts";
import type { I18nLanguage, I18nRegion } from "../../video/index.ts";
import { browse } from "../lists/index.ts";
import { matchCandidates } from "../suggestions/index.ts";

interface RegionQuery {
  readonly filter?: string | undefined;
}

/** Each entry takes one line, so many fit on a page. */
const perPage = 15;

export const regionList = browse<"i18nRegions.list", RegionQuery>({
  name: "regions.list",
  method: "i18nRegions.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) => filterByName(items, filter, words, namesOfCountry),
  title: (_, words) => words.say("regions.list.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: draw,
  empty: (words) => words.say("regions.empty"),
  columns: { id: "id", name: "snippet.name" },
  perPage,
});

export const languageList = browse<"i18nLanguages.list", RegionQuery>({
  name: "regions.languages",
  method: "i18nLanguages.list",
  params: (_, { hl }) => ({ part: ["snippet"], hl }),
  among: (items, { filter }, words) => filterByName(items, filter, words, namesOfLanguage),
  title: (_, words) => words.say("regions.languages.title"),
  text: ({ filter }, words) => filter && words.say("regions.filtered", { filter }),
  item: draw,
  empty: (words) => words.say("regions.empty"),
  columns: { id: "id", name: "snippet.name" },
  perPage,
});

/** The name in the language of the request. */
function nameAndId({ id = "", snippet }: I18nLanguage | I18nRegion) {
  return { id, name: snippet?.name ?? id };
}

function draw(one: I18nLanguage | I18nRegion): ReplyItem {
  const { id, name } = nameAndId(one);
  return { title: `${name} · ${id}`, lines: [] };
}

/**
 * The entries that contain every word of the filter, in the language of the request or another, sorted by name; all of them
 * without a filter.
 */
function filterByName<I extends I18nLanguage | I18nRegion>(
  items: readonly I[],
  filter: string | undefined,
  words: Words,
  alsoCalled: (code: string) => readonly string[],
): readonly I[] {
  const { compare } = new Intl.Collator(words.tag);
  const named = items.map((item) => ({ item, ...nameAndId(item) }));
  const byId = new Map(named.map((one) => [one.id, one.item]));
  const candidates = named
    .sort((a, b) => compare(a.name, b.name))
    .map(({ id, name }) => ({ value: id, title: name, also: [id, ...alsoCalled(id)] }));
  return matchCandidates(filter ?? "", candidates).flatMap<I>(
    ({ value }) => byId.get(`${value}`) ?? [],
  );
}

import type { ReplyItem, Words } from "../../discord/index.ts";
import { namesOfCountry, namesOfLanguage } from "../../language/index.ts";
import type { I18nLanguage, I18nRegion } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { browse } from "../lists/index.ts";
import { matchCandidates } from "../suggestions/index.ts";

interface RegionQuery {
  readonly filter?: string | undefined;
}

/** What both lists have in common. */
const shared = {
  params: (_: RegionQuery, { hl }: Pick<Ctx, "hl">) => ({ part: ["snippet"] as const, hl }),
  text: ({ filter }: RegionQuery, words: Words) =>
    filter && words.say("regions.filtered", { filter }),
  item: draw,
  empty: "regions.empty",
  columns: { id: "id", name: "snippet.name" },
  // Each entry takes one line, so many fit on a page.
  perPage: 15,
} as const;

export const regionList = browse<"i18nRegions.list", RegionQuery>({
  ...shared,
  name: "regions.list",
  method: "i18nRegions.list",
  among: (items, { filter }, words) => filterByName(items, filter, words, namesOfCountry),
  title: "regions.list.title",
});

export const languageList = browse<"i18nLanguages.list", RegionQuery>({
  ...shared,
  name: "regions.languages",
  method: "i18nLanguages.list",
  among: (items, { filter }, words) => filterByName(items, filter, words, namesOfLanguage),
  title: "regions.languages.title",
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

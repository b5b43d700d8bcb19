import { limits, type SuggestedChoice } from "../../discord/index.ts";
import {
  allTimeZones,
  countryNamed,
  languageNamed,
  namesOfCountry,
  namesOfLanguage,
  timeZonesFor,
  timeZoneTitle,
  zonesOfCountry,
} from "../../language/index.ts";
import type { FeatureSuggest, SuggestCtx } from "../context/index.ts";
import {
  candidateChoices,
  choiceFor,
  hasOwnView,
  type SuggestionCandidate,
  suggestFor,
} from "./match.ts";

/** The categories that videos of the server's country may have. */
export const categories: FeatureSuggest = async (typed, ctx) => {
  const regionCode = ctx.settings.region ?? "US";
  const wanted = { part: ["snippet"], regionCode, hl: ctx.hl } as const;
  const { items } = await ctx.video.call("videoCategories.list", wanted);
  const candidates = items.flatMap(({ id, snippet }) =>
    id === undefined || snippet?.assignable !== true
      ? []
      : [{ value: id, title: snippet.title ?? id }],
  );
  return candidateChoices(typed, candidates);
};

/** The languages that YouTube has, with their names in the person's language; found by those of other languages too. */
export const languages: FeatureSuggest = async (typed, ctx) => {
  const { words } = ctx;
  const named = await listed(ctx, "i18nLanguages.list").catch(() =>
    commonLanguages.map((code) => ({ code, name: words.language(code) })),
  );
  const home = [words.tag, words.tag.split("-")[0]];
  const choices = candidateChoices(typed, sorted(named, home, ctx, namesOfLanguage));
  const meant = languageNamed(typed);
  if (meant === undefined || choices.some(({ value }) => value === meant)) {
    return exactFirst(choices, meant);
  }
  // YouTube's own words are not in it, but texts can be.
  const other = choiceFor({ value: meant, title: words.language(meant), facts: [meant] });
  return [other, ...choices].slice(0, limits.suggestions);
};

/** The countries that YouTube knows, named by it in the person's language; found by names in other languages too. */
export const regions: FeatureSuggest = async (typed, ctx) => {
  const named = await listed(ctx, "i18nRegions.list").catch(() =>
    commonRegions.map((code) => ({ code, name: ctx.words.country(code) })),
  );
  const choices = candidateChoices(
    typed,
    sorted(named, [ctx.settings.region], ctx, namesOfCountry),
  );
  return exactFirst(choices, countryNamed(typed));
};

/** Puts what the whole text means before what only begins like it: "UK" is not Ukraine. */
function exactFirst(
  choices: readonly SuggestedChoice[],
  meant: string | undefined,
): readonly SuggestedChoice[] {
  const isMeant = ({ value }: SuggestedChoice) => value === meant;
  return choices.toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a)));
}

export const abuseReasons = suggestFor(hasOwnView, async (ctx) => {
  const reasons = await readReasons(ctx);
  return reasons.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.label ?? id }],
  );
});

/** The secondary reasons of the reason in another option. */
export function secondaryReasons(option: string): FeatureSuggest {
  return suggestFor(hasOwnView, async (ctx) => {
    const reason = (await readReasons(ctx)).find(({ id }) => id === ctx.others[option]);
    return (reason?.snippet?.secondaryReasons ?? []).flatMap(({ id, label }) =>
      id === undefined ? [] : [{ value: id, title: label ?? id }],
    );
  });
}

async function readReasons(ctx: SuggestCtx) {
  const wanted = { part: ["id", "snippet"], hl: ctx.hl } as const;
  const { items } = await ctx.video.call("videoAbuseReportReasons.list", wanted);
  return items;
}

interface Named {
  readonly code: string;
  readonly name: string;
}

async function listed(
  ctx: SuggestCtx,
  method: "i18nLanguages.list" | "i18nRegions.list",
): Promise<readonly Named[]> {
  const { items } = await ctx.video.call(method, { part: ["snippet"], hl: ctx.hl });
  return items.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ code: id, name: snippet?.name ?? id }],
  );
}

/** Sorted by name, after those of the person or the server. */
function sorted(
  named: readonly Named[],
  home: readonly (string | undefined)[],
  { words }: SuggestCtx,
  alsoCalled: (code: string) => readonly string[],
): readonly SuggestionCandidate[] {
  const { compare } = new Intl.Collator(words.tag);
  const isHome = ({ code }: Named) => home.includes(code);
  return named
    .toSorted((a, b) => Number(isHome(b)) - Number(isHome(a)) || compare(a.name, b.name))
    .map(({ code, name }) => ({
      value: code,
      title: name,
      facts: [code],
      also: alsoCalled(code),
    }));
}

// Suggested while YouTube can't be called, such as before the first key is entered.
const commonLanguages =
  "ar bn cs da de el en en-GB es es-419 fi fr he hi hu id it ja ko nl no pl pt pt-BR ro ru sv th tr uk ur vi zh-CN zh-TW".split(
    " ",
  );
const commonRegions =
  "AE AR AT AU BE BG BR CA CH CL CO CZ DE DK EG ES FI FR GB GR HK HR HU ID IE IL IN IT JP KE KR MX MY NG NL NO NZ PE PH PL PT RO RS SA SE SG SK TH TR TW UA US VN ZA".split(
    " ",
  );

/** Time zones by anything that people call them, with their current time; those of the server's country first. */
export const timeZones: FeatureSuggest = async (typed, ctx) => {
  const { settings, words } = ctx;
  const now = ctx.now();
  // A server without a chosen country is likely to be where the person's language is spoken.
  const home = new Intl.Locale(words.tag).maximize().region;
  const country = countryNamed(ctx.others.region ?? "") ?? settings.region ?? home;
  const near = [settings.timeZone ?? [], country === undefined ? [] : zonesOfCountry(country)];
  const all = [...new Set([...near.flat(), ...allTimeZones()])];
  const found = typed.trim() === "" ? all : timeZonesFor(typed);
  return found.slice(0, limits.suggestions).map((zone) => {
    const clock = new Intl.DateTimeFormat(words.tag, { timeStyle: "short", timeZone: zone });
    return choiceFor({ value: zone, title: timeZoneTitle(zone), facts: [clock.format(now)] });
  });
};

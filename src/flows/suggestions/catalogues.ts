import { limits } from "../../discord/index.ts";
import type { FeatureSuggest, SuggestCtx } from "../context/index.ts";
import {
  candidateChoices,
  choiceOf,
  hasOwnView,
  matchCandidates,
  type SuggestionCandidate,
  suggestFor,
} from "./match.ts";

/** The categories that videos of the guild's country may have. */
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

/** The languages that the service has, with their names in the person's language. */
export const languages: FeatureSuggest = async (typed, ctx) => {
  const { words } = ctx;
  const named = await listed(ctx, "i18nLanguages.list").catch(() =>
    commonLanguages.map((code) => ({ code, name: words.language(code) })),
  );
  return candidateChoices(typed, sorted(named, [words.tag, words.tag.split("-")[0]], ctx));
};

/** The countries that the service knows, named by it in the person's language. */
export const regions: FeatureSuggest = async (typed, ctx) => {
  const named = await listed(ctx, "i18nRegions.list").catch(() =>
    commonRegions.map((code) => ({ code, name: ctx.words.country(code) })),
  );
  return candidateChoices(typed, sorted(named, [ctx.settings.region], ctx));
};

/** The reasons for which a video can be reported. */
export const abuseReasons = suggestFor(hasOwnView, async (ctx) => {
  const reasons = await reasonsOf(ctx);
  return reasons.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.label ?? id }],
  );
});

/** The secondary reasons of the reason in another option. */
export function secondaryReasons(option: string): FeatureSuggest {
  return suggestFor(hasOwnView, async (ctx) => {
    const reason = (await reasonsOf(ctx)).find(({ id }) => id === ctx.others[option]);
    return (reason?.snippet?.secondaryReasons ?? []).flatMap(({ id, label }) =>
      id === undefined ? [] : [{ value: id, title: label ?? id }],
    );
  });
}

async function reasonsOf(ctx: SuggestCtx) {
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
): readonly SuggestionCandidate[] {
  const { compare } = new Intl.Collator(words.tag);
  const isHome = ({ code }: Named) => home.includes(code);
  return named
    .toSorted((a, b) => Number(isHome(b)) - Number(isHome(a)) || compare(a.name, b.name))
    .map(({ code, name }) => ({ value: code, title: name, facts: [code] }));
}

// Suggested while the service can't be called, such as before the first key is entered.
const commonLanguages =
  "ar bn cs da de el en en-GB es es-419 fi fr he hi hu id it ja ko nl no pl pt pt-BR ro ru sv th tr uk ur vi zh-CN zh-TW".split(
    " ",
  );
const commonRegions =
  "AE AR AT AU BE BG BR CA CH CL CO CZ DE DK EG ES FI FR GB GR HK HR HU ID IE IL IN IT JP KE KR MX MY NG NL NO NZ PE PH PL PT RO RS SA SE SG SK TH TR TW UA US VN ZA".split(
    " ",
  );

/** Time zones by city, with their current time; those of the guild's country first. */
export const timeZones: FeatureSuggest = async (typed, ctx) => {
  const { settings, words } = ctx;
  const now = ctx.now();
  // A guild without a chosen country is likely to be where the person's language is spoken.
  const home = new Intl.Locale(words.tag).maximize().region;
  const near = [settings.timeZone, ...zonesOf(ctx.others.region ?? settings.region ?? home)];
  const all = new Set([
    ...near.flatMap((zone) => zone ?? []),
    ...Intl.supportedValuesOf("timeZone"),
  ]);
  const candidates = [...all, "UTC"].map(
    (zone): SuggestionCandidate => ({ value: zone, title: zone }),
  );
  return matchCandidates(typed, candidates)
    .slice(0, limits.suggestions)
    .map((candidate) => {
      const clock = new Intl.DateTimeFormat(words.tag, {
        timeStyle: "short",
        timeZone: `${candidate.value}`,
      });
      const title = candidate.title.replaceAll("_", " ");
      return choiceOf({ ...candidate, title, facts: [clock.format(now)] });
    });
};

function zonesOf(region: string | undefined): readonly string[] {
  if (region === undefined || !/^[a-z]{2}$/iu.test(region)) return [];
  // ECMA-402 has `getTimeZones`; TypeScript's library does not know it yet.
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
    getTimeZones?: () => readonly string[] | undefined;
  };
  return locale.getTimeZones?.() ?? [];
}

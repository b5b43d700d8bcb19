import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { type Candidate, choicesOf, suggestFor } from "./match.ts";
import { isOwn } from "./names.ts";

/** The categories that videos of the guild's country may have. */
export const categories: Suggest = async (typed, ctx) => {
  const regionCode = ctx.settings.region ?? "US";
  const wanted = { part: ["snippet"], regionCode, hl: ctx.hl } as const;
  const { items } = await ctx.video.call("videoCategories.list", wanted);
  const candidates = items.flatMap(({ id, snippet }) =>
    id === undefined || snippet?.assignable !== true
      ? []
      : [{ value: id, title: snippet.title ?? id }],
  );
  return choicesOf(typed, candidates);
};

/** The languages that the service speaks, named by it in the person's own. */
export const languages: Suggest = async (typed, ctx) => {
  const { words } = ctx;
  const named = await listed(ctx, "i18nLanguages.list").catch(() =>
    commonLanguages.map((code) => ({ code, name: words.language(code) })),
  );
  return choicesOf(typed, sorted(named, [words.tag, words.tag.split("-")[0]], ctx));
};

/** The countries that the service knows, named by it in the person's language. */
export const regions: Suggest = async (typed, ctx) => {
  const named = await listed(ctx, "i18nRegions.list").catch(() =>
    commonRegions.map((code) => ({ code, name: ctx.words.country(code) })),
  );
  return choicesOf(typed, sorted(named, [ctx.settings.region], ctx));
};

/** For what a video can be reported. */
export const abuseReasons = suggestFor(isOwn, async (ctx) => {
  const reasons = await reasonsOf(ctx);
  return reasons.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.label ?? id }],
  );
});

/** What belongs to the reason that another option holds. */
export function secondaryReasons(option: string): Suggest {
  return suggestFor(isOwn, async (ctx) => {
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

/** By name, after what is this person's or this server's own. */
function sorted(
  named: readonly Named[],
  home: readonly (string | undefined)[],
  { words }: SuggestCtx,
): readonly Candidate[] {
  const { compare } = new Intl.Collator(words.tag);
  const isHome = ({ code }: Named) => home.includes(code);
  return named
    .toSorted((a, b) => Number(isHome(b)) - Number(isHome(a)) || compare(a.name, b.name))
    .map(({ code, name }) => ({ value: code, title: name, facts: [code] }));
}

// Offered while no service can be asked, such as before the first key is entered.
const commonLanguages =
  "ar bn cs da de el en en-GB es es-419 fi fr he hi hu id it ja ko nl no pl pt pt-BR ro ru sv th tr uk ur vi zh-CN zh-TW".split(
    " ",
  );
const commonRegions =
  "AE AR AT AU BE BG BR CA CH CL CO CZ DE DK EG ES FI FR GB GR HK HR HU ID IE IL IN IT JP KE KR MX MY NG NL NO NZ PE PH PL PT RO RS SA SE SG SK TH TR TW UA US VN ZA".split(
    " ",
  );

import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { type Candidate, choicesOf } from "./match.ts";
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

/** The languages that the service speaks, named in the person's own. */
export const languages: Suggest = async (typed, ctx) => {
  const codes = await listed(ctx, "i18nLanguages.list").catch(() => commonLanguages);
  return choicesOf(typed, byName(ctx, codes, "language"));
};

/** The countries that the service knows, named in the person's language. */
export const regions: Suggest = async (typed, ctx) => {
  const codes = await listed(ctx, "i18nRegions.list").catch(() => commonRegions);
  return choicesOf(typed, byName(ctx, codes, "country"));
};

/** For what a video can be reported. */
export const abuseReasons: Suggest = async (typed, ctx) => {
  const reasons = await reasonsOf(ctx);
  const candidates = reasons.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.label ?? id }],
  );
  return choicesOf(typed, candidates);
};

/** What belongs to the reason that another option holds. */
export function secondaryReasons(option: string): Suggest {
  return async (typed, ctx) => {
    const reason = (await reasonsOf(ctx)).find(({ id }) => id === ctx.others[option]);
    const candidates = (reason?.snippet?.secondaryReasons ?? []).flatMap(({ id, label }) =>
      id === undefined ? [] : [{ value: id, title: label ?? id }],
    );
    return choicesOf(typed, candidates);
  };
}

async function reasonsOf(ctx: SuggestCtx) {
  if (!isOwn(ctx)) return [];
  const wanted = { part: ["id", "snippet"], hl: ctx.hl } as const;
  const { items } = await ctx.video.call("videoAbuseReportReasons.list", wanted);
  return items;
}

/** The same list for all languages, so that it is asked for once a day: names are made here. */
async function listed(
  ctx: SuggestCtx,
  method: "i18nLanguages.list" | "i18nRegions.list",
): Promise<readonly string[]> {
  const { items } = await ctx.video.call(method, { part: ["snippet"] });
  return items.flatMap(({ id }) => id ?? []);
}

function byName(
  { words, settings }: SuggestCtx,
  codes: readonly string[],
  kind: "language" | "country",
): readonly Candidate[] {
  const home = kind === "language" ? [words.tag, words.tag.split("-")[0]] : [settings.region];
  const candidates = codes.map((code) => ({
    value: code,
    title: words[kind](code),
    facts: [code],
  }));
  const { compare } = new Intl.Collator(words.tag);
  const isHome = ({ value }: Candidate) => home.includes(`${value}`);
  return candidates.sort(
    (a, b) => Number(isHome(b)) - Number(isHome(a)) || compare(a.title, b.title),
  );
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

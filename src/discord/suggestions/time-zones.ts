import type { Suggest } from "../declare/suggest.ts";
import { limits } from "../draw/limits.ts";
import { type Candidate, choiceOf, matching } from "./match.ts";

/** Time zones by city, with what their clocks show now; those of the guild's country first. */
export const timeZones: Suggest = async (typed, ctx) => {
  const { settings, words } = ctx;
  const now = ctx.now();
  // A guild that chose no country is likely to be where the person's language is.
  const home = new Intl.Locale(words.tag).maximize().region;
  const near = [settings.timeZone, ...zonesOf(ctx.others.region ?? settings.region ?? home)];
  const all = new Set([
    ...near.flatMap((zone) => zone ?? []),
    ...Intl.supportedValuesOf("timeZone"),
  ]);
  const candidates = [...all, "UTC"].map((zone): Candidate => ({ value: zone, title: zone }));
  return matching(typed, candidates)
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

import { defaultLimits, defaultReserve, rankBudget, spendable } from "../../budget/index.ts";
import {
  type Ctx,
  card,
  type Field,
  join,
  mention,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { DailyBudget, GuildSettings } from "../../store/index.ts";
import { limitedRanks } from "./change.ts";

/** So that a field holds them all. */
const mostShown = 15;

/** All budgets of the guild. */
export function overview(
  { words }: Pick<Ctx<unknown>, "words">,
  title: string,
  settings: GuildSettings,
): Reply {
  return card({
    title,
    text: join(
      [
        words.say("budget.intro"),
        words.md("budget.how", { command: words.command("connect budget") }),
      ],
      "\n\n",
    ),
    fields: [
      { name: words.say("budget.ranks"), value: join(rankLines(settings, words), "\n") },
      { name: words.say("budget.people"), value: join(personLines(settings, words), "\n") },
      reserveField(settings, words),
      quotaField(settings, words),
    ],
    footer: words.say("budget.footer"),
  });
}

function rankLines(settings: GuildSettings, words: Words): readonly Text[] {
  return limitedRanks.map((rank) => {
    const { budget, isUsual } = rankBudget(rank, settings);
    return words.md(isUsual ? "budget.usual_line" : "budget.line", {
      who: words.say(`choices.rank.${rank}`),
      amounts: amountsOf(budget, words),
    });
  });
}

function personLines({ budgets }: GuildSettings, words: Words): readonly Text[] {
  const people = Object.entries(budgets?.people ?? {});
  if (people.length === 0) return [words.say("budget.nobody")];
  const lines = people
    .slice(0, mostShown)
    .map(([id, budget]) =>
      words.md("budget.line", { who: mention(id), amounts: amountsOf(budget, words) }),
    );
  const rest = people.length - lines.length;
  return rest === 0 ? lines : [...lines, words.say("budget.others", { count: rest })];
}

function amountsOf(budget: DailyBudget | undefined, words: Words): string {
  const parts = spendable.flatMap((bucket) => {
    const count = budget?.[bucket];
    return count === undefined ? [] : [words.say("usage.amount", { bucket, count })];
  });
  return parts.length === 0 ? words.say("budget.unlimited") : words.list(parts);
}

function reserveField({ reserve }: GuildSettings, words: Words): Field {
  const percent = words.percent(reserve ?? defaultReserve);
  const text = words.say(reserve === undefined ? "budget.reserve.usual" : "budget.reserve.own", {
    percent,
  });
  const isLower = reserve !== undefined && reserve < defaultReserve;
  const shared = words.say("budget.reserve.shared", { percent: words.percent(defaultReserve) });
  return {
    name: words.say("budget.reserve.name"),
    value: isLower ? join([text, shared], "\n") : text,
  };
}

function quotaField({ quota }: GuildSettings, words: Words): Field {
  return {
    name: words.say("budget.quota.name"),
    value: amountsOf({ ...defaultLimits, ...quota }, words),
  };
}

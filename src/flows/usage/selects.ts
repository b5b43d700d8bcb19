import { spendable } from "../../budget/index.ts";
import { type Ctx, type Press, reaches, type Select } from "../../discord/index.ts";
import { daysIn, groupings, periods, ranks, type Shown } from "./shown.ts";

/** What else the card can show. */
export function selects(
  { rank, words }: Ctx<unknown>,
  shown: Shown,
  press: Press,
): readonly Select[] {
  const whats = spendable.map((what) => ({
    label: words.say(`choices.usage-what.${what}`),
    value: `what ${what}`,
    isDefault: what === shown.what,
  }));
  const bys = groupings
    .filter((by) => reaches(rank, ranks[by]))
    .map((by) => ({
      label: words.say(`choices.usage-by.${by}`),
      value: `by ${by}`,
      isDefault: by === shown.by,
    }));
  const spans = periods.map((days) => ({
    label: words.say(`choices.usage-days.${days}`),
    value: `days ${days}`,
    isDefault: daysIn(days) === shown.days,
  }));
  return [
    { placeholder: words.say("usage.which_days"), options: spans, press },
    { placeholder: words.say("usage.which_kind"), options: whats, press },
    ...(bys.length > 1
      ? [{ placeholder: words.say("usage.which_grouping"), options: bys, press }]
      : []),
  ];
}

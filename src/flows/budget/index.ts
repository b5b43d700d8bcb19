import { type Ctx, notice, type Reply } from "../../discord/index.ts";
import { type Asking, changeOf, hasBudget, limitedRanks } from "./change.ts";
import { overview } from "./overview.ts";

/** Shows all budgets; with a rank or a person sets theirs first. @throws InputError `conflicting_parameters`, `too_many_budgets` */
async function change(ctx: Ctx<unknown>, asking: Asking): Promise<Reply> {
  const { settings, words } = ctx;
  const wanted = changeOf(settings, asking);
  if (wanted === undefined) return overview(ctx, words.say("budget.title"), settings);
  if (asking.remove === true && !hasBudget(settings, asking)) {
    return notice({ tone: "info", title: words.say("budget.no_budget") });
  }
  const saved = await ctx.changeSettings(wanted);
  const title = words.say(asking.remove === true ? "budget.removed" : "budget.saved");
  return overview(ctx, title, saved);
}

export const budget = { change, limitedRanks } as const;

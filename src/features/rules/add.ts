import {
  cut,
  type Form,
  form,
  limits,
  notice,
  type OptionsOf,
  type Reply,
  type RequestInfo,
  readDuration,
} from "../../discord/index.ts";
import type { RuleDraft } from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import {
  draftRule,
  type RuleInput,
  ruleDefaults,
  ruleEffects,
  ruleKinds,
  ruleListText,
} from "./draft.ts";
import { dryRunRule } from "./dry-run.ts";
import { isListNeeded, listField, maxRuleNameChars, readRuleForm, ruleChangeForm } from "./form.ts";

const addAction = {
  by: "requester",
  rank: "manager",
  uses: ["channels.list", "commentThreads.list", "members.list", "playlists.list", "videos.list"],
} as const;

export const addRuleOptions = {
  kind: option.choice({ required: true, group: "rule_kind", values: ruleKinds }),
  name: option.text({ required: true, max: maxRuleNameChars }),
  does: option.choice({ required: true, group: "rule_does", values: ruleEffects }),
  what: option.text({}),
  look_alikes: option.flag({}),
  times: option.integer({ min: 2, max: 50 }),
  within: option.duration({}),
};

/** The form for a rule's list, if rules of that kind need one and the options left it out. */
export function askForRuleList(
  { words }: RequestInfo,
  options: OptionsOf<typeof addRuleOptions>,
): Form | undefined {
  const { kind, name, does, what, look_alikes: isFolded = ruleDefaults.isFolded } = options;
  if (what !== undefined || !isListNeeded(kind)) return undefined;
  const { times, withinMs } = ruleDefaults;
  return form({
    title: cut(words.say("rules.form.title", { name }), limits.form.title),
    isReturned: true,
    fields: [listField(kind, words)],
    submit: submitList.press({ kind, name, does, isFolded, times, withinMs }),
  });
}

/** Tries a new rule and offers to switch it on. */
export async function addRule(ctx: CtxFor<typeof addRuleOptions>): Promise<Reply> {
  const { options } = ctx;
  const { kind, name, does, what = "" } = options;
  return proposeRule(ctx, {
    kind,
    name,
    does,
    what,
    isFolded: options.look_alikes ?? ruleDefaults.isFolded,
    times: options.times ?? ruleDefaults.times,
    withinMs: options.within ?? ruleDefaults.withinMs,
  });
}

/** People see what a rule would do before they can switch it on. */
export async function proposeRule(ctx: Ctx, input: RuleInput): Promise<Reply> {
  const draft = await draftRule(ctx, input);
  const { words } = ctx;
  // What a form cuts off would be lost.
  const fitsForm = (ruleListText(draft.test) ?? "").length <= limits.form.text;
  return dryRunRule(ctx, draft, [
    { label: words.say("rules.dry.on"), style: "success", press: switchOn.press(draft) },
    ...(fitsForm ? [{ label: words.say("rules.dry.change"), press: change.press(draft) }] : []),
    { label: words.say("rules.dry.discard"), press: discard.press(null) },
  ]);
}

/** Submits the form that the command opened, so its answer is the first message. */
const submitList = action<Omit<RuleInput, "what">>({
  ...addAction,
  name: "rules.listed",
  answer: "private",
  run: (ctx, input, { fields }) => proposeRule(ctx, { ...input, what: fields.what ?? "" }),
});

const change = action<RuleDraft>({
  name: "rules.change",
  answer: "form",
  rank: "manager",
  form: ({ words }, draft) => ruleChangeForm(words, draft, submitChange.press(draft)),
});

const submitChange = action<RuleDraft>({
  ...addAction,
  name: "rules.changed",
  run: async (ctx, draft, input) => {
    const { fields } = input;
    const { times = "", within = "" } = fields;
    const repeats =
      draft.test.kind === "repeated"
        ? { times: Number(times.trim()), withinMs: await readDuration(within, "within") }
        : { times: ruleDefaults.times, withinMs: ruleDefaults.withinMs };
    return proposeRule(ctx, { ...readRuleForm(input, draft), ...repeats });
  },
});

const switchOn = action<RuleDraft>({
  name: "rules.switch-on",
  rank: "manager",
  isOnce: true,
  run: async ({ words, moderation, userId }, draft) => {
    const { name } = await moderation.rules.add(draft, userId);
    return notice({
      tone: "good",
      title: words.say("rules.on.title", { name }),
      text: words.md("rules.on.text", { command: words.mention("rules list") }),
    });
  },
});

const discard = action<null>({
  name: "rules.discard",
  rank: "manager",
  run: async ({ words }) =>
    notice({
      tone: "neutral",
      title: words.say("rules.dry.discarded"),
      text: words.say("rules.dry.discarded_text"),
    }),
});

export const addRuleActions = [submitList, change, submitChange, switchOn, discard] as const;

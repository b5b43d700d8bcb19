import {
  type Form,
  type FormField,
  form,
  limits,
  type Press,
  type PressInput,
  type Words,
} from "../../discord/index.ts";
import type { NameSign, RuleDraft } from "../../moderation/index.ts";
import {
  type CommentRuleKind,
  chosenEffect,
  nameSigns,
  type RuleInput,
  ruleDefaults,
  ruleEffects,
  ruleListText,
} from "./draft.ts";

export const maxRuleNameChars = 60;

/** Kinds of rules that need a list; a form has more room for it than an option. */
export function isListNeeded(kind: CommentRuleKind): kind is Exclude<ListedKind, "links"> {
  return kind === "words" || kind === "patterns" || kind === "authors";
}

/** The form with everything about a rule, filled in as it is now. */
export function ruleChangeForm(words: Words, draft: RuleDraft, submit: Press): Form {
  const { test } = draft;
  const isFolded = "isFolded" in test ? test.isFolded : undefined;
  return form({
    title: words.say("rules.form.change"),
    isReturned: true,
    fields: [
      {
        name: "name",
        label: words.say("rules.form.name"),
        maxLength: maxRuleNameChars,
        value: draft.name,
      },
      ...testFields(test, words),
      {
        kind: "select",
        name: "does",
        label: words.say("rules.form.does"),
        options: ruleEffects.map((effect) => ({
          label: words.say(`rules.does.${effect}`),
          value: effect,
          isDefault: effect === chosenEffect(draft),
        })),
      },
      ...(isFolded === undefined ? [] : [alikeField(isFolded, words)]),
    ],
    submit,
  });
}

function testFields(test: RuleDraft["test"], words: Words): readonly FormField[] {
  if (test.kind === "repeated") return repeatFields(test, words);
  if (test.kind === "names") return [signsField(test.signs, words)];
  // A list's rule is not changed by this form.
  if (test.kind === "list") return [];
  return [{ ...listField(test.kind, words), value: ruleListText(test) ?? "" }];
}

function signsField(signs: readonly NameSign[], words: Words): FormField {
  return {
    kind: "select",
    name: "signs",
    label: words.say("rules.form.signs"),
    min: 1,
    max: nameSigns.length,
    options: nameSigns.map((sign) => ({
      label: words.say(`rules.sign.${sign}`),
      value: sign,
      isDefault: signs.includes(sign),
    })),
  };
}

/** Kinds of rules that have a list. */
type ListedKind = Exclude<CommentRuleKind, "repeated" | "names">;

/** The field for a rule's list. */
export function listField(kind: ListedKind, words: Words): FormField & { readonly kind?: "text" } {
  return {
    name: "what",
    label: words.say(`rules.form.${kind}`),
    description: words.say(`rules.form.${kind}_about`),
    style: "paragraph",
    maxLength: limits.form.text,
    required: kind !== "links",
  };
}

function repeatFields(
  { times, withinMs }: Extract<RuleDraft["test"], { readonly kind: "repeated" }>,
  words: Words,
): readonly FormField[] {
  return [
    {
      name: "times",
      label: words.say("rules.form.times"),
      description: words.say("rules.form.times_about"),
      value: `${times}`,
      maxLength: 4,
    },
    {
      name: "within",
      label: words.say("rules.form.within"),
      description: words.say("rules.form.within_about"),
      value: `${Math.round(withinMs / 60_000)} min`,
      maxLength: 40,
    },
  ];
}

function alikeField(isFolded: boolean, words: Words): FormField {
  return {
    kind: "select",
    name: "alike",
    label: words.say("rules.form.alike"),
    options: [
      { label: words.say("rules.form.alike_yes"), value: "yes", isDefault: isFolded },
      { label: words.say("rules.form.alike_no"), value: "no", isDefault: !isFolded },
    ],
  };
}

/** What people ask for in a form; fields that it did not have stay as in the draft. */
export function readRuleForm(
  { fields, lists }: PressInput,
  draft: RuleDraft,
): Omit<RuleInput, "times" | "withinMs"> {
  const before = "isFolded" in draft.test ? draft.test.isFolded : ruleDefaults.isFolded;
  return {
    // A list's rule has no form.
    kind: draft.test.kind === "list" ? "words" : draft.test.kind,
    name: fields.name ?? draft.name,
    does: ruleEffects.find((effect) => effect === fields.does) ?? chosenEffect(draft),
    what: fields.what ?? "",
    isFolded: fields.alike === undefined ? before : fields.alike === "yes",
    ...(draft.test.kind === "names" && {
      signs: nameSigns.filter((sign) => lists.signs?.includes(sign)),
    }),
  };
}

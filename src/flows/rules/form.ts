import {
  type Asked,
  cut,
  type Form,
  type FormField,
  form,
  type Input,
  limits,
  type Press,
  type Words,
} from "../../discord/index.ts";
import type { RuleDraft } from "../../moderation/index.ts";
import { type Deed, deedOf, deeds, type Kind, linesOf, usual, type Wishes } from "./draft.ts";

export const longestName = 60;

/** Kinds that can't be without a list, which a form has more room for than an option. */
export const listKinds: readonly Kind[] = ["words", "patterns", "authors"];

/** Asks for what the options left out. */
export function listForm({ words }: Asked, kind: Kind, { name, submit }: Asking): Form {
  return form({
    title: cut(words.say("rules.form.title", { name }), limits.form.title),
    isReturned: true,
    fields: [listField(kind, words)],
    submit,
  });
}

interface Asking {
  readonly name: string;
  readonly submit: Press;
}

/** Whether a form can hold all of it: what it cut would be lost. */
export function fitsForm({ test }: RuleDraft): boolean {
  return (linesOf(test) ?? "").length <= limits.form.text;
}

/** Everything about a rule, as it is so far. */
export function changeForm(words: Words, draft: RuleDraft, submit: Press): Form {
  const { test } = draft;
  const isFolded = "isFolded" in test ? test.isFolded : undefined;
  return form({
    title: words.say("rules.form.change"),
    isReturned: true,
    fields: [
      {
        name: "name",
        label: words.say("rules.form.name"),
        maxLength: longestName,
        value: draft.name,
      },
      ...(test.kind === "repeated"
        ? repeatFields(test, words)
        : [{ ...listField(test.kind, words), value: linesOf(test) ?? "" }]),
      deedField(deedOf(draft), words),
      ...(isFolded === undefined ? [] : [alikeField(isFolded, words)]),
    ],
    submit,
  });
}

function listField(kind: Kind, words: Words): FormField & { readonly kind?: "text" } {
  const of = kind === "repeated" ? "words" : kind;
  return {
    name: "what",
    label: words.say(`rules.form.${of}`),
    description: words.say(`rules.form.${of}_about`),
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

function deedField(chosen: Deed, words: Words): FormField {
  return {
    kind: "select",
    name: "does",
    label: words.say("rules.form.does"),
    options: deeds.map((deed) => ({
      label: words.say(`rules.does.${deed}`),
      value: deed,
      isDefault: deed === chosen,
    })),
  };
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

/** What a form says, beside what was known before. */
export function wishesIn({ fields }: Input, draft: RuleDraft): Omit<Wishes, "times" | "withinMs"> {
  const before = "isFolded" in draft.test ? draft.test.isFolded : usual.isFolded;
  return {
    kind: draft.test.kind,
    name: fields.name ?? draft.name,
    does: deeds.find((deed) => deed === fields.does) ?? deedOf(draft),
    what: fields.what ?? "",
    isFolded: fields.alike === undefined ? before : fields.alike === "yes",
  };
}

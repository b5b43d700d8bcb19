import {
  type Attachment,
  ask,
  type CardField,
  compact,
  cut,
  describeAdvice,
  describeFailureShortly,
  files,
  formatted,
  join,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { ImportedRules, ImportPlan, RuleTest } from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { chosenEffect, ruleListText } from "./draft.ts";
import { describeRuleTest, isLinked, listSome } from "./list.ts";
import {
  maxRulesFileBytes,
  readRulesFile,
  rulesFileTooLarge,
  writeRulesFile,
} from "./rules-file.ts";

/** The rules and their settings as a file, for a copy or for another server. */
export async function exportRules({ words, moderation, now }: Ctx): Promise<Reply> {
  const book = await moderation.rules.book();
  const count = book.rules.filter(({ test }) => test.kind !== "list").length;
  const title = words.say("rules.export.title");
  const name = `greenroom-rules-${new Date(now()).toISOString().slice(0, 10)}.json`;
  return files({
    title,
    text: join([
      words.md("rules.export.text", { count, command: words.mention("rules import") }),
      ...(count < book.rules.length ? [words.say("rules.export.lists")] : []),
    ]),
    files: [{ name, data: Buffer.from(writeRulesFile(book)), alt: title }],
  });
}

export const importOptions = {
  file: option.attachment({ required: true }),
  replace: option.flag({}),
};

interface RulesImport {
  readonly file: Attachment;
  readonly isWhole: boolean;
  /** The rules that the question was about: `ImportPlan.basis`. */
  readonly basis: string;
}

/** Shows what the file would add, change and remove. @throws InputError `rules_file`. */
export async function askImportRules(ctx: CtxFor<typeof importOptions>): Promise<Reply> {
  const { file, replace: isWhole = false } = ctx.options;
  return askAboutFile(ctx, { file, isWhole });
}

async function askAboutFile(
  ctx: Ctx,
  { file, isWhole }: Omit<RulesImport, "basis">,
  before?: string,
): Promise<Reply> {
  const { words, moderation } = ctx;
  const imported = await readFile(ctx, file);
  if ("kind" in imported) return imported;
  const plan = await moderation.rules.planImport(imported, { isWhole });
  const fields = planFields(plan, words);
  if (fields.length === 0) {
    return notice({
      tone: "neutral",
      title: words.say("rules.import.same"),
      text: words.say("rules.import.same_text"),
      isPrivate: true,
    });
  }
  const acting = [...plan.added, ...plan.changed].filter(
    ({ does, isOn }) => does === "act" && isOn,
  );
  return ask({
    title: words.say("rules.import.title", { file: cut(file.filename, 100) }),
    text: join(
      compact([
        before,
        words.say("rules.import.ask"),
        plan.same > 0 && words.say("rules.import.unchanged", { count: plan.same }),
        plan.alike > 0 && words.say("rules.import.alike", { count: plan.alike }),
        acting.length > 0 &&
          ((await isLinked(ctx))
            ? words.md("rules.import.acting", { count: acting.length })
            : words.say("rules.list.by_key")),
      ]),
    ),
    fields,
    confirm: {
      label: words.say("rules.import.confirm"),
      style: plan.removed.length > 0 ? "danger" : "primary",
      press: importNow.press({ file, isWhole, basis: plan.basis }),
    },
  });
}

const importNow = action<RulesImport>({
  name: "rules.import-now",
  rank: "manager",
  isOnce: true,
  run: async (ctx, { file, isWhole, basis }) => {
    const { words, moderation, userId } = ctx;
    const imported = await readFile(ctx, file);
    if ("kind" in imported) return imported;
    const isDone = await moderation.rules.import(imported, { isWhole, basis, by: userId });
    // What is about to happen is no longer what was asked about.
    if (!isDone) return askAboutFile(ctx, { file, isWhole }, words.say("rules.import.moved"));
    return notice({
      tone: "good",
      title: words.say("rules.import.done"),
      text: words.md("rules.import.done_text", { command: words.mention("rules list") }),
    });
  },
});

/** The file's rules, or a notice that names the rule that can't be used. @throws InputError `rules_file` */
async function readFile(ctx: Ctx, file: Attachment): Promise<ImportedRules | Reply> {
  if (file.size > maxRulesFileBytes) throw rulesFileTooLarge();
  const imported = readRulesFile(await ctx.fetchAttachment(file));
  for (const [at, { name, test }] of imported.rules.entries()) {
    try {
      await ctx.moderation.rules.check(test);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return refusedRule(error, { path: `rules[${at}]`, name }, ctx.words);
    }
  }
  return imported;
}

function refusedRule(
  error: InputError,
  { path, name }: { readonly path: string; readonly name: string },
  words: Words,
): Reply {
  return notice({
    tone: "bad",
    title: words.say("rules.import.refused", { path, name }),
    text: join([
      md`**${describeFailureShortly(error, words)}**`,
      describeAdvice(error, words),
      words.say("rules.import.nothing"),
    ]),
    isPrivate: true,
  });
}

/** As many as fit into a field. */
const maxLines = 8;
const maxChanges = 4;
const maxChangeChars = 230;
const maxEntries = 3;
const maxEntryChars = 30;

type PlannedRule = ImportPlan["added"][number];

function ruleLine({ name }: PlannedRule, about: string): Text {
  return md`• ${cut(name, 50)} · ${cut(about, maxChangeChars)}`;
}

function effectOf(rule: PlannedRule, words: Words): string {
  const effect = words.say(`rules.does.${chosenEffect(rule)}`);
  return rule.isOn ? effect : `${effect} ${words.say("rules.try.off")}`;
}

/** What an import changes in a rule: the effect before and after, and which entries are added and removed. */
function describeChange(rule: ImportPlan["changed"][number], words: Words): string {
  const { before } = rule;
  const [come, go] = changedEntries(before.test, rule.test);
  const said = [
    ...beforeAfter(effectOf(before, words), effectOf(rule, words)),
    ...testChanges(before.test, rule.test, words),
    ...(come.length > 0 ? [`+ ${listSome(come, words, maxEntries)}`] : []),
    ...(go.length > 0 ? [`− ${listSome(go, words, maxEntries)}`] : []),
  ];
  return said.length > 0 ? said.join(" · ") : effectOf(rule, words);
}

function beforeAfter(before: string, after: string): readonly string[] {
  return before === after ? [] : [`${before} → ${after}`];
}

/** How a rule's test changes, as before and after; its list of entries is described elsewhere. */
function testChanges(before: RuleTest, after: RuleTest, words: Words): readonly string[] {
  const isList = ruleListText(after) !== undefined && before.kind === after.kind;
  if (!isList) return beforeAfter(describeTest(before, words), describeTest(after, words));
  const letters = (test: RuleTest) => {
    const isFolded = "isFolded" in test && test.isFolded;
    return words.say(isFolded ? "rules.form.alike_yes" : "rules.form.alike_no");
  };
  const label = words.say("rules.form.alike");
  return beforeAfter(letters(before), letters(after)).map((change) => `${label}: ${change}`);
}

function describeTest(test: RuleTest, words: Words): string {
  const text = describeRuleTest(test, words);
  return typeof text === "string" ? text : formatted(text);
}

/** Which entries of a rule's list are new, and which are gone. */
function changedEntries(before: RuleTest, after: RuleTest): readonly [string[], string[]] {
  if (before.kind !== after.kind) return [[], []];
  const [old, now] = [listEntries(before), listEntries(after)];
  const beyond = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>) =>
    [...some].flatMap(([key, name]) => (others.has(key) ? [] : [cut(name, maxEntryChars)]));
  return [beyond(now, old), beyond(old, now)];
}

/** The entries of a rule's list, with the name that people see for each. */
function listEntries(test: RuleTest): ReadonlyMap<string, string> {
  switch (test.kind) {
    case "words":
      return new Map(test.words.map((word) => [word, word]));
    case "patterns":
      return new Map(test.patterns.map((pattern) => [pattern, `/${pattern}/`]));
    case "links":
      return new Map(test.allowed.map((site) => [site, site]));
    case "authors":
      return new Map(test.authors.map(({ id, name = id }) => [id, name]));
    case "repeated":
    case "names":
    case "list":
      return new Map();
  }
}

function planFields(plan: ImportPlan, words: Words): readonly CardField[] {
  const { spared, dailyCap } = plan;
  const settings = compact([
    spared !== undefined &&
      words.say("rules.list.spared_all", {
        isMembers: spared.members,
        count: spared.authors.length,
      }),
    dailyCap !== undefined && words.say("rules.log.cap", { cap: dailyCap }),
  ]);
  const { added, changed, removed } = plan;
  const lists = {
    added: added.map((rule) => ruleLine(rule, effectOf(rule, words))),
    changed: changed.map((rule) => ruleLine(rule, describeChange(rule, words))),
    removed: removed.map((rule) => ruleLine(rule, effectOf(rule, words))),
  };
  return compact([
    ...(["added", "changed", "removed"] as const).map((what) => {
      const rules = lists[what];
      if (rules.length === 0) return false;
      const lines = rules.slice(0, what === "changed" ? maxChanges : maxLines);
      const more = rules.length - lines.length;
      if (more > 0) lines.push(words.say("rules.test.and_more", { count: more }));
      return {
        name: words.say(`rules.import.${what}`, { count: rules.length }),
        value: join(lines),
      };
    }),
    settings.length > 0 && {
      name: words.say("rules.import.settings"),
      value: join(settings),
    },
  ]);
}

export const ruleImportActions = [importNow] as const;

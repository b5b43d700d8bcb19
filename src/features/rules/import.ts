import {
  type Attachment,
  ask,
  type CardField,
  compact,
  cut,
  describeAdvice,
  describeFailureShortly,
  files,
  join,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { ImportedRules, ImportPlan } from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { chosenEffect } from "./draft.ts";
import { isLinked } from "./list.ts";
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
  return compact([
    ...(["added", "changed", "removed"] as const).map((what) => {
      const rules = plan[what];
      if (rules.length === 0) return false;
      const lines = rules
        .slice(0, maxLines)
        .map(
          (rule): Text =>
            md`• ${cut(rule.name, 50)} · ${words.say(`rules.does.${chosenEffect(rule)}`)}${
              rule.isOn ? "" : ` ${words.say("rules.try.off")}`
            }`,
        );
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

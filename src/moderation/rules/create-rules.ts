import type { CommentRule, RuleBook, RuleTest } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { RuleDraft, RuleMatch } from "../types.ts";
import { matchTexts, toTests } from "./match-texts.ts";
import { maxAuthors } from "./matchers/matcher.ts";
import { refuseRule } from "./matchers/refuse-rule.ts";
import {
  type ImportedRules,
  type ImportOptions,
  type ImportPlan,
  planImport,
} from "./plan-import.ts";
import { tryRule } from "./verdicts/try-rule.ts";

const maxRules = 50;

export type Rules = ReturnType<typeof createRules>;

type RuleSettings = Pick<RuleBook, "spared" | "dailyCap" | "logChannelId" | "logMayBePublic">;

/** The rules of one server, as people read and change them. */
export function createRules(room: ModerationRoom, guildId: string) {
  const { clock, random, engine } = room;
  const books = room.records.rules;
  const newId = () => newRuleId(random);
  return {
    book: () => books.read(guildId),
    /**
     * Tries a rule on recent comments of a channel: those that wait, and the last published ones. Of one that is not linked,
     * only published ones are read; without a channel the rule is only checked. @throws what the video client throws;
     * InputError `rule_pattern`, `rule_words`, `rule_links`, `rule_repeats`, `rule_authors`, `rule_slow`.
     */
    tryOut: (draft: RuleDraft, source: string | undefined, signal: AbortSignal) =>
      tryRule(room, draft, { guildId, source, signal }),
    /**
     * The rules that match a text, including switched off ones; rules about repeated comments can't match a single text.
     * @throws InputError `rule_slow`.
     */
    async hitsOf(text: string): Promise<readonly RuleMatch[]> {
      const { rules } = await books.read(guildId);
      const tests = rules.map(({ test }) => test);
      const contentOf = (list: string) => room.records.lists.content(guildId, list);
      const wanted = { tests, comments: [{ text }], contentOf, isAll: true, isTrial: true };
      const { findings, off } = await engine.runTests(guildId, wanted);
      const slow = rules[off[0]?.at ?? -1];
      if (slow !== undefined) throw refuseRule("rule_slow", { name: slow.name });
      return (findings[0]?.found ?? []).flatMap(({ at, by }) => {
        const rule = rules[at];
        return rule === undefined ? [] : [{ rule, found: by }];
      });
    },
    /**
     * Which of the texts contain any of these words or phrases, or `/a pattern/`; look-alike letters count as the same.
     * @throws InputError `rule_words`, `rule_pattern`.
     */
    async matching(wanted: readonly string[], texts: readonly string[]) {
      await engine.check(guildId, toTests(wanted));
      return matchTexts(engine, guildId, { wanted, texts });
    },
    /** Adds a rule, switched on. @throws InputError as `tryOut`, and `too_many_rules`. */
    async add(draft: RuleDraft, by: string): Promise<CommentRule> {
      await engine.check(guildId, [draft.test]);
      return addCheckedRule(room, guildId, { ...draft, by });
    },
    /** Switches a rule on or off; without a choice, to the opposite of what it is. Undefined if there is no such rule. */
    async switch(id: string, isOn?: boolean): Promise<CommentRule | undefined> {
      const { rules } = await books.change(guildId, (book) => ({
        ...book,
        rules: book.rules.map((rule) =>
          rule.id === id ? { ...rule, off: undefined, isOn: isOn ?? !rule.isOn } : rule,
        ),
      }));
      return rules.find((rule) => rule.id === id);
    },
    /** Returns whether it was there. */
    async remove(id: string): Promise<boolean> {
      let wasThere = false;
      await books.change(guildId, (book) => {
        const rules = book.rules.filter((rule) => rule.id !== id);
        wasThere = rules.length < book.rules.length;
        return { ...book, rules };
      });
      return wasThere;
    },
    /** @throws InputError `rule_pattern`, `rule_words`, `rule_links`, `rule_repeats`, `rule_authors`. */
    check: (test: RuleTest) => engine.check(guildId, [test]),
    /** What an import would do; nothing is changed. */
    planImport: async (imported: ImportedRules, options: ImportOptions): Promise<ImportPlan> =>
      planImport(await books.read(guildId), imported, options),
    /**
     * Carries out an import: all of it, or nothing if the rules are no longer the ones that it was planned for. Returns whether
     * it did. Its tests must have been checked. @throws InputError `too_many_rules`, `rule_authors`.
     */
    async import(
      imported: ImportedRules,
      options: ImportOptions & Pick<ImportPlan, "basis"> & { readonly by: string },
    ): Promise<boolean> {
      let isDone = false;
      await books.change(guildId, (book) => {
        const {
          basis,
          rules,
          spared = book.spared,
          dailyCap = book.dailyCap,
        } = planImport(book, imported, options);
        isDone = basis === options.basis;
        if (!isDone) return book;
        if (rules.length > maxRules) throw refuseRule("too_many_rules", { most: maxRules });
        requireFewAuthors(spared);
        const added = { addedBy: options.by, addedAt: clock.now() };
        const whole = rules.map((rule) =>
          "id" in rule ? rule : { id: newId(), ...rule, ...added },
        );
        return { ...book, rules: whole, spared, dailyCap };
      });
      return isDone;
    },
    /**
     * Changes whom rules spare, the daily cap, and the log channel. `make` gets what is stored when nobody else can change it,
     * and may be called several times. @throws InputError `rule_authors`.
     */
    configure: (make: (stored: RuleSettings) => RuleSettings): Promise<RuleBook> =>
      books.change(guildId, ({ rules, acted, ...stored }) => {
        const settings = make(stored);
        requireFewAuthors(settings.spared);
        return { rules, ...settings, acted };
      }),
  };
}

function newRuleId(random: () => number): string {
  return Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, "0");
}

/** Adds a rule whose test was checked, or needs no check; within a transaction if there is one. @throws InputError `too_many_rules` */
export async function addCheckedRule(
  { clock, random, records }: Pick<ModerationRoom, "clock" | "random" | "records">,
  guildId: string,
  { name, test, does, decision, by }: RuleDraft & { readonly by: string },
): Promise<CommentRule> {
  const facts = { addedBy: by, addedAt: clock.now() };
  const rule: CommentRule = {
    id: newRuleId(random),
    name,
    test,
    does,
    decision,
    isOn: true,
    ...facts,
  };
  await records.rules.change(guildId, (book) => {
    if (book.rules.length >= maxRules) throw refuseRule("too_many_rules", { most: maxRules });
    return { ...book, rules: [...book.rules, rule] };
  });
  return rule;
}

/** @throws InputError `rule_authors` */
function requireFewAuthors({ authors }: RuleBook["spared"]): void {
  if (authors.length <= maxAuthors) return;
  throw refuseRule("rule_authors", { reason: "many", most: maxAuthors });
}

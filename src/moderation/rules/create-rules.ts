import type { PartOptions } from "../parts.ts";
import type { Rule, RuleBook } from "../records/index.ts";
import type { RuleDraft, RuleHit } from "../types.ts";
import { changeBook, readBook } from "./book.ts";
import { tryOut } from "./judging/try-out.ts";
import { mostAuthors } from "./matchers/authors.ts";
import { refuse } from "./matchers/refuse.ts";
import { checkedMatches } from "./watch-match.ts";

const mostRules = 50;

export type Rules = ReturnType<typeof createRules>;

/** The rules of one guild, as people read and change them. */
export function createRules(parts: PartOptions, guildId: string) {
  return {
    book: () => readBook(parts, guildId),
    /**
     * On comments of lately: what waits, and what was published last. @throws what the video client throws; InputError
     * `rule_pattern`, `rule_words`, `rule_links`, `rule_repeats`, `rule_authors`, `rule_slow`.
     */
    tryOut: (draft: RuleDraft, source: string, signal: AbortSignal) =>
      tryOut(parts, draft, { guildId, source, signal }),
    /**
     * Which rules, switched off ones too, find something in a text; what only several comments show is left out.
     * @throws InputError `rule_slow`.
     */
    hitsOf: (text: string) => hitsOf(parts, guildId, text),
    /**
     * Which of the texts hold any of these words or phrases, or `/a pattern/`; look-alike letters count as the same.
     * @throws InputError `rule_words`, `rule_pattern`.
     */
    matching: (wanted: readonly string[], texts: readonly string[]) =>
      checkedMatches(parts.engine, guildId, { wanted, texts }),
    /** It is on from then. @throws InputError as `tryOut`, and `too_many_rules`. */
    add: (draft: RuleDraft, by: string) => add(parts, guildId, { draft, by }),
    /** @throws InputError as `tryOut`. */
    change: (id: string, changed: RuleChange) => change(parts, guildId, { id, changed }),
    remove: (id: string) => remove(parts, guildId, id),
    /** Whom no rule touches, how many acts a day, and where they are told. @throws InputError `rule_authors`. */
    configure: (settings: RuleSettings) => configure(parts, guildId, settings),
  };
}

type RuleChange = Partial<RuleDraft & Pick<Rule, "isOn">>;

interface RuleSettings {
  readonly spared?: Partial<RuleBook["spared"]> | undefined;
  readonly dailyCap?: number | undefined;
  /** `null` removes it. */
  readonly logChannelId?: string | null | undefined;
}

async function hitsOf(
  parts: PartOptions,
  guildId: string,
  text: string,
): Promise<readonly RuleHit[]> {
  const { rules } = await readBook(parts, guildId);
  const tests = rules.map(({ test }) => test);
  const wanted = { tests, comments: [{ text }], isAll: true, isTrial: true };
  const { looks, off } = await parts.engine.look(guildId, wanted);
  const slow = rules[off[0]?.at ?? -1];
  if (slow !== undefined) throw refuse("rule_slow", { name: slow.name });
  return (looks[0]?.found ?? []).flatMap(({ at, by }): RuleHit[] => {
    const rule = rules[at];
    return rule === undefined ? [] : [{ rule, found: by }];
  });
}

async function add(
  parts: PartOptions,
  guildId: string,
  { draft, by }: { readonly draft: RuleDraft; readonly by: string },
): Promise<Rule> {
  const { clock, random, engine } = parts;
  const { name, test, does, decision } = draft;
  await engine.check(guildId, [test]);
  const rule: Rule = {
    ...{ id: newId(random), name, test, does, decision, isOn: true },
    ...{ addedBy: by, addedAt: clock.now() },
  };
  await changeBook(parts, guildId, (book) => {
    if (book.rules.length >= mostRules) throw refuse("too_many_rules", { most: mostRules });
    return { ...book, rules: [...book.rules, rule] };
  });
  return rule;
}

async function change(
  parts: PartOptions,
  guildId: string,
  { id, changed }: { readonly id: string; readonly changed: RuleChange },
): Promise<Rule | undefined> {
  if (changed.test !== undefined) await parts.engine.check(guildId, [changed.test]);
  const changedOf = ({ off, ...rule }: Rule): Rule => ({
    ...{ ...rule, ...changed },
    ...(off !== undefined && changed.isOn === undefined && { off }),
  });
  const { rules } = await changeBook(parts, guildId, (book) => ({
    ...book,
    rules: book.rules.map((rule) => (rule.id === id ? changedOf(rule) : rule)),
  }));
  return rules.find((rule) => rule.id === id);
}

async function remove(parts: PartOptions, guildId: string, id: string): Promise<boolean> {
  let wasThere = false;
  await changeBook(parts, guildId, (book) => {
    const rules = book.rules.filter((rule) => rule.id !== id);
    wasThere = rules.length < book.rules.length;
    return { ...book, rules };
  });
  return wasThere;
}

async function configure(
  parts: PartOptions,
  guildId: string,
  { spared, dailyCap, logChannelId }: RuleSettings,
): Promise<RuleBook> {
  if ((spared?.authors?.length ?? 0) > mostAuthors) {
    throw refuse("rule_authors", { reason: "many", most: mostAuthors });
  }
  return changeBook(parts, guildId, (book) => {
    const { logChannelId: before, ...rest } = book;
    const log = logChannelId === undefined ? before : (logChannelId ?? undefined);
    return {
      ...rest,
      spared: { ...rest.spared, ...spared },
      ...(dailyCap !== undefined && { dailyCap }),
      ...(log !== undefined && { logChannelId: log }),
    };
  });
}

/** 8 hex digits. */
function newId(random: () => number): string {
  return Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, "0");
}

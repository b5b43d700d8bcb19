import type { ModerationPartDeps } from "../deps.ts";
import type { CommentRule, RuleBook, RuleTest } from "../records/index.ts";
import type { RuleDraft, RuleMatch } from "../types.ts";
import type { RuleEngine } from "./engine/open-rule-engine.ts";
import { maxAuthors } from "./matchers/authors.ts";
import { refuseRule } from "./matchers/refuse-rule.ts";
import { tryRule } from "./verdicts/try-rule.ts";

const maxRules = 50;

export type Rules = ReturnType<typeof createRules>;

/** The rules of one guild, as people read and change them. */
export function createRules(parts: ModerationPartDeps, guildId: string) {
  return {
    book: () => parts.records.rules.read(guildId),
    /**
     * Tries a rule on recent comments: those that wait, and the last published ones. @throws what the video client throws;
     * InputError `rule_pattern`, `rule_words`, `rule_links`, `rule_repeats`, `rule_authors`, `rule_slow`.
     */
    tryOut: (draft: RuleDraft, source: string, signal: AbortSignal) =>
      tryRule(parts, draft, { guildId, source, signal }),
    /**
     * The rules that match a text, including switched off ones; rules about repeated comments can't match a single text.
     * @throws InputError `rule_slow`.
     */
    hitsOf: (text: string) => findMatchingRules(parts, guildId, text),
    /**
     * Which of the texts contain any of these words or phrases, or `/a pattern/`; look-alike letters count as the same.
     * @throws InputError `rule_words`, `rule_pattern`.
     */
    matching: (wanted: readonly string[], texts: readonly string[]) =>
      checkAndMatchTexts(parts.engine, guildId, { wanted, texts }),
    /** Adds a rule, switched on. @throws InputError as `tryOut`, and `too_many_rules`. */
    add: (draft: RuleDraft, by: string) => addRule(parts, guildId, { draft, by }),
    /** @throws InputError as `tryOut`. */
    change: (id: string, changed: RuleChange) => changeRule(parts, guildId, { id, changed }),
    remove: (id: string) => removeRule(parts, guildId, id),
    /** Sets whom rules spare, the daily cap, and the log channel. @throws InputError `rule_authors`. */
    configure: (settings: RuleSettings) => configure(parts, guildId, settings),
  };
}

type RuleChange = Partial<RuleDraft & Pick<CommentRule, "isOn">>;

interface RuleSettings {
  readonly spared?: Partial<RuleBook["spared"]> | undefined;
  readonly dailyCap?: number | undefined;
  /** `null` removes it. */
  readonly logChannelId?: string | null | undefined;
}

async function findMatchingRules(
  parts: ModerationPartDeps,
  guildId: string,
  text: string,
): Promise<readonly RuleMatch[]> {
  const { rules } = await parts.records.rules.read(guildId);
  const tests = rules.map(({ test }) => test);
  const wanted = { tests, comments: [{ text }], isAll: true, isTrial: true };
  const { looks, off } = await parts.engine.runTests(guildId, wanted);
  const slow = rules[off[0]?.at ?? -1];
  if (slow !== undefined) throw refuseRule("rule_slow", { name: slow.name });
  return (looks[0]?.found ?? []).flatMap(({ at, by }): RuleMatch[] => {
    const rule = rules[at];
    return rule === undefined ? [] : [{ rule, found: by }];
  });
}

async function addRule(
  parts: ModerationPartDeps,
  guildId: string,
  { draft, by }: { readonly draft: RuleDraft; readonly by: string },
): Promise<CommentRule> {
  const { clock, random, engine } = parts;
  const { name, test, does, decision } = draft;
  await engine.check(guildId, [test]);
  const rule: CommentRule = {
    ...{ id: newId(random), name, test, does, decision, isOn: true },
    ...{ addedBy: by, addedAt: clock.now() },
  };
  await parts.records.rules.change(guildId, (book) => {
    if (book.rules.length >= maxRules) throw refuseRule("too_many_rules", { most: maxRules });
    return { ...book, rules: [...book.rules, rule] };
  });
  return rule;
}

async function changeRule(
  parts: ModerationPartDeps,
  guildId: string,
  { id, changed }: { readonly id: string; readonly changed: RuleChange },
): Promise<CommentRule | undefined> {
  if (changed.test !== undefined) await parts.engine.check(guildId, [changed.test]);
  const changedOf = ({ off, ...rule }: CommentRule): CommentRule => ({
    ...{ ...rule, ...changed },
    ...(off !== undefined && changed.isOn === undefined && { off }),
  });
  const { rules } = await parts.records.rules.change(guildId, (book) => ({
    ...book,
    rules: book.rules.map((rule) => (rule.id === id ? changedOf(rule) : rule)),
  }));
  return rules.find((rule) => rule.id === id);
}

async function removeRule(
  parts: ModerationPartDeps,
  guildId: string,
  id: string,
): Promise<boolean> {
  let wasThere = false;
  await parts.records.rules.change(guildId, (book) => {
    const rules = book.rules.filter((rule) => rule.id !== id);
    wasThere = rules.length < book.rules.length;
    return { ...book, rules };
  });
  return wasThere;
}

async function configure(
  parts: ModerationPartDeps,
  guildId: string,
  { spared, dailyCap, logChannelId }: RuleSettings,
): Promise<RuleBook> {
  if ((spared?.authors?.length ?? 0) > maxAuthors) {
    throw refuseRule("rule_authors", { reason: "many", most: maxAuthors });
  }
  return parts.records.rules.change(guildId, (book) => {
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

interface TextMatchRequest {
  /** Words or phrases, or `/a pattern/`; look-alike letters count as the same. */
  readonly wanted: readonly string[];
  readonly texts: readonly string[];
}

/** Which of the texts contain any of what is wanted. A text that can't be judged counts as a match, so that people see it. */
export async function matchTexts(
  engine: RuleEngine,
  guildId: string,
  { wanted, texts }: TextMatchRequest,
): Promise<readonly boolean[]> {
  if (texts.length === 0) return [];
  const comments = texts.map((text) => ({ text }));
  const { looks } = await engine.runTests(guildId, { tests: toTests(wanted), comments });
  return looks.map(({ found, isWhole }) => found.length > 0 || !isWhole);
}

/** The same for words that somebody just typed, which are checked first. @throws InputError `rule_words`, `rule_pattern` */
export async function checkAndMatchTexts(
  engine: RuleEngine,
  guildId: string,
  matching: TextMatchRequest,
): Promise<readonly boolean[]> {
  await engine.check(guildId, toTests(matching.wanted));
  return matchTexts(engine, guildId, matching);
}

function toTests(wanted: readonly string[]): readonly RuleTest[] {
  const patterns = wanted.flatMap((one) => slashed.exec(one.trim())?.[1] ?? []);
  const words = wanted.filter((one) => !slashed.test(one.trim()));
  const isFolded = true;
  return [
    // An empty list becomes a test without words, which is refused.
    ...(words.length > 0 || patterns.length === 0
      ? [{ kind: "words", words, isFolded } as const]
      : []),
    ...(patterns.length > 0 ? [{ kind: "patterns", patterns, isFolded } as const] : []),
  ];
}

const slashed = /^\/(.+)\/$/su;

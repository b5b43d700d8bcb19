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
    /** Switches a rule on or off; without a choice, to the opposite of what it is. Undefined if there is no such rule. */
    switch: (id: string, isOn?: boolean) => switchRule(parts, guildId, { id, isOn }),
    remove: (id: string) => removeRule(parts, guildId, id),
    /**
     * Changes whom rules spare, the daily cap, and the log channel. `make` gets what is stored when nobody else can change it,
     * and may be called several times. @throws InputError `rule_authors`.
     */
    configure: (make: (stored: RuleSettings) => RuleSettings) => configure(parts, guildId, make),
  };
}

type RuleSettings = Pick<RuleBook, "spared" | "dailyCap" | "logChannelId" | "logMayBePublic">;

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
    id: newId(random),
    name,
    test,
    does,
    decision,
    isOn: true,
    addedBy: by,
    addedAt: clock.now(),
  };
  await parts.records.rules.change(guildId, (book) => {
    if (book.rules.length >= maxRules) throw refuseRule("too_many_rules", { most: maxRules });
    return { ...book, rules: [...book.rules, rule] };
  });
  return rule;
}

async function switchRule(
  parts: ModerationPartDeps,
  guildId: string,
  { id, isOn }: { readonly id: string; readonly isOn: boolean | undefined },
): Promise<CommentRule | undefined> {
  const switched = ({ off: _, ...rule }: CommentRule) => ({ ...rule, isOn: isOn ?? !rule.isOn });
  const { rules } = await parts.records.rules.change(guildId, (book) => ({
    ...book,
    rules: book.rules.map((rule) => (rule.id === id ? switched(rule) : rule)),
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
  make: (stored: RuleSettings) => RuleSettings,
): Promise<RuleBook> {
  return parts.records.rules.change(guildId, ({ rules, acted, ...stored }) => {
    const settings = make(stored);
    if (settings.spared.authors.length > maxAuthors) {
      throw refuseRule("rule_authors", { reason: "many", most: maxAuthors });
    }
    return { rules, ...settings, ...(acted !== undefined && { acted }) };
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
async function checkAndMatchTexts(
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

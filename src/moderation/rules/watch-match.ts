import type { RuleTest } from "../records/index.ts";
import type { RuleEngine } from "./engine/open-engine.ts";

export interface Matching {
  /** Words or phrases, or `/a pattern/`; look-alike letters count as the same. */
  readonly wanted: readonly string[];
  readonly texts: readonly string[];
}

/** Which of the texts hold any of what is wanted. One that can't be judged does: people see it rather than nobody. */
export async function matches(
  engine: RuleEngine,
  guildId: string,
  { wanted, texts }: Matching,
): Promise<readonly boolean[]> {
  if (texts.length === 0) return [];
  const comments = texts.map((text) => ({ text }));
  const { looks } = await engine.look(guildId, { tests: testsOf(wanted), comments });
  return looks.map(({ found, isWhole }) => found.length > 0 || !isWhole);
}

/** The same of what somebody has just typed. @throws InputError `rule_words`, `rule_pattern` */
export async function checkedMatches(
  engine: RuleEngine,
  guildId: string,
  matching: Matching,
): Promise<readonly boolean[]> {
  await engine.check(guildId, testsOf(matching.wanted));
  return matches(engine, guildId, matching);
}

function testsOf(wanted: readonly string[]): readonly RuleTest[] {
  const patterns = wanted.flatMap((one) => slashed.exec(one.trim())?.[1] ?? []);
  const words = wanted.filter((one) => !slashed.test(one.trim()));
  const isFolded = true;
  return [
    // Nothing at all is refused as no words are.
    ...(words.length > 0 || patterns.length === 0
      ? [{ kind: "words", words, isFolded } as const]
      : []),
    ...(patterns.length > 0 ? [{ kind: "patterns", patterns, isFolded } as const] : []),
  ];
}

const slashed = /^\/(.+)\/$/su;

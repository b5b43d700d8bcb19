import type { RuleTest } from "../records/index.ts";
import type { RuleEngine } from "./engine/open-rule-engine.ts";

export interface TextMatchRequest {
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
  const { findings } = await engine.runTests(guildId, { tests: toTests(wanted), comments });
  return findings.map(({ found, isWhole }) => found.length > 0 || !isWhole);
}

export function toTests(wanted: readonly string[]): readonly RuleTest[] {
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

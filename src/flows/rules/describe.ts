import { cut, md, type Text, type Words } from "../../discord/index.ts";
import type { RuleTest } from "../../moderation/index.ts";
import { oneLine } from "../watching/index.ts";

/** What of a list is named; the rest is counted. */
const mostNamed = 6;

/** What a rule looks at, in a sentence. */
export function testOf(test: RuleTest, words: Words): Text {
  switch (test.kind) {
    case "words":
      return withAlike(
        words.say("rules.test.words", {
          count: test.words.length,
          words: listOf(
            test.words.map((word) => words.say("rules.quoted", { text: cut(word, 40) })),
            words,
          ),
        }),
        test.isFolded,
        words,
      );
    case "patterns":
      return withAlike(
        words.say("rules.test.patterns", {
          count: test.patterns.length,
          patterns: listOf(
            test.patterns.map((pattern) => `/${cut(pattern, 60)}/`),
            words,
          ),
        }),
        test.isFolded,
        words,
      );
    case "links":
      return words.say("rules.test.links", {
        count: test.allowed.length,
        hosts: listOf(test.allowed, words),
      });
    case "repeated":
      return words.say("rules.test.repeated", {
        times: test.times,
        time: timeOf(test.withinMs, words),
      });
    case "authors":
      return words.say("rules.test.authors", {
        count: test.authors.length,
        names: listOf(
          test.authors.map(({ id, name }) => cut(oneLine(name ?? id), 40)),
          words,
        ),
      });
  }
}

const dayMs = 86_400_000;

function timeOf(ms: number, words: Words): string {
  if (ms % dayMs !== 0) return words.duration(ms);
  const style = { style: "unit", unit: "day", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(words.speech, style).format(ms / dayMs);
}

function withAlike(sentence: string, isFolded: boolean, words: Words): Text {
  return isFolded ? md`${sentence} (${words.say("rules.test.alike")})` : sentence;
}

export function listOf(items: readonly string[], words: Words): string {
  const shown = items.slice(0, mostNamed);
  const more = items.length - shown.length;
  if (more === 0) return words.list(shown);
  return words.list([...shown, words.say("rules.test.and_more", { count: more })]);
}

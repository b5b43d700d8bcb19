import type { Log } from "../../../log.ts";
import type { Rule, RuleBook } from "../../../store/index.ts";
import { matcherOf } from "../matchers/matcher.ts";
import type { Matcher } from "../matchers/types.ts";

export interface Compiled {
  readonly rule: Rule;
  readonly matches: Matcher;
}

/** Rules of many servers, each compiled once as long as it stays as it is. */
export interface Compiler {
  /** Those that are on, in their order. One that can't be compiled is logged and left out. */
  of(guildId: string, book: RuleBook): readonly Compiled[];
  forget(guildId: string): void;
}

/** Servers whose rules are kept at hand. */
const mostGuilds = 500;

export function createCompiler(log: Log): Compiler {
  const kept = new Map<string, ReadonlyMap<string, Matcher | undefined>>();

  function compile({ id, test }: Rule): Matcher | undefined {
    const failed = (error: unknown) => void log.error("a rule can't be used", { rule: id, error });
    try {
      const matches = matcherOf(test);
      return (looking) => {
        try {
          return matches(looking);
        } catch (error) {
          return failed(error);
        }
      };
    } catch (error) {
      return failed(error);
    }
  }

  return {
    of(guildId, { rules }) {
      const before = kept.get(guildId);
      const after = new Map<string, Matcher | undefined>();
      const compiled = rules.flatMap((rule): Compiled[] => {
        if (!rule.isOn) return [];
        const key = `${rule.id} ${JSON.stringify(rule.test)}`;
        const matches = before?.has(key) ? before.get(key) : compile(rule);
        after.set(key, matches);
        return matches === undefined ? [] : [{ rule, matches }];
      });
      kept.delete(guildId);
      kept.set(guildId, after);
      for (const oldest of kept.keys()) {
        if (kept.size <= mostGuilds) break;
        kept.delete(oldest);
      }
      return compiled;
    },
    forget: (guildId) => void kept.delete(guildId),
  };
}

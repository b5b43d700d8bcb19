import type { Rule, RuleBook } from "../records/index.ts";
import type { RuleDraft, RuleHit, Rules } from "../types.ts";
import { changeBook, readBook } from "./book.ts";
import { tryOut } from "./judging/try-out.ts";
import { mostAuthors } from "./matchers/authors.ts";
import { refuse } from "./matchers/refuse.ts";
import type { RuleParts } from "./parts.ts";
import { checkedMatches } from "./watch-match.ts";

const mostRules = 50;

/** The rules of one guild, as people read and change them. */
export function createRules(parts: RuleParts, guildId: string): Rules {
  const { clock, random, engine } = parts;
  const change = (make: (book: RuleBook) => RuleBook) => changeBook(parts, guildId, make);

  return {
    book: () => readBook(parts, guildId),
    tryOut: (draft, source, signal) => tryOut(parts, draft, { guildId, source, signal }),
    async hitsOf(text) {
      const { rules } = await readBook(parts, guildId);
      const tests = rules.map(({ test }) => test);
      const wanted = { tests, comments: [{ text }], isAll: true, isTrial: true };
      const { looks, off } = await engine.look(guildId, wanted);
      const slow = rules[off[0]?.at ?? -1];
      if (slow !== undefined) throw refuse("rule_slow", { name: slow.name });
      return (looks[0]?.found ?? []).flatMap(({ at, by }): RuleHit[] => {
        const rule = rules[at];
        return rule === undefined ? [] : [{ rule, found: by }];
      });
    },
    matching: (wanted, texts) => checkedMatches(engine, guildId, { wanted, texts }),
    async add({ name, test, does, decision }, by) {
      await engine.check(guildId, [test]);
      const rule: Rule = {
        ...{ id: newId(random), name, test, does, decision, isOn: true },
        ...{ addedBy: by, addedAt: clock.now() },
      };
      await change((book) => {
        if (book.rules.length >= mostRules) throw refuse("too_many_rules", { most: mostRules });
        return { ...book, rules: [...book.rules, rule] };
      });
      return rule;
    },
    async change(id, changed: Partial<RuleDraft & Pick<Rule, "isOn">>) {
      if (changed.test !== undefined) await engine.check(guildId, [changed.test]);
      const changedOf = ({ off, ...rule }: Rule): Rule => ({
        ...{ ...rule, ...changed },
        ...(off !== undefined && changed.isOn === undefined && { off }),
      });
      const { rules } = await change((book) => ({
        ...book,
        rules: book.rules.map((rule) => (rule.id === id ? changedOf(rule) : rule)),
      }));
      return rules.find((rule) => rule.id === id);
    },
    async remove(id) {
      let wasThere = false;
      await change((book) => {
        const rules = book.rules.filter((rule) => rule.id !== id);
        wasThere = rules.length < book.rules.length;
        return { ...book, rules };
      });
      return wasThere;
    },
    configure({ spared, dailyCap, logChannelId }) {
      if ((spared?.authors?.length ?? 0) > mostAuthors) {
        throw refuse("rule_authors", { reason: "many", most: mostAuthors });
      }
      return change((book) => {
        const { logChannelId: before, ...rest } = book;
        const log = logChannelId === undefined ? before : (logChannelId ?? undefined);
        return {
          ...rest,
          spared: { ...rest.spared, ...spared },
          ...(dailyCap !== undefined && { dailyCap }),
          ...(log !== undefined && { logChannelId: log }),
        };
      });
    },
  };
}

/** 8 hex digits. */
function newId(random: () => number): string {
  return Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, "0");
}

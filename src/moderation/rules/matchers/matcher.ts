import { shortenText } from "../../comment-text.ts";
import type { RuleTest } from "../../records/index.ts";
import { isWithinHosts, namedHost } from "../links/find-links.ts";
import { isOwnLink } from "../links/youtube-links.ts";
import { namesMatcher } from "./names.ts";
import { patternsMatcher } from "./patterns.ts";
import { refuseRule } from "./refuse-rule.ts";
import type { Matcher } from "./types.ts";
import { wordsMatcher } from "./words.ts";

const bounds = { leastTimes: 2, mostTimes: 50, leastMs: 60_000, mostMs: 7 * 86_400_000 } as const;

/** @throws InputError `rule_words`, `rule_pattern`, `rule_links`, `rule_repeats`, `rule_authors` or `rule_names`. */
export function createMatcher(test: RuleTest): Matcher {
  switch (test.kind) {
    case "words":
      return wordsMatcher(test.words, test.isFolded);
    case "patterns":
      return patternsMatcher(test.patterns, test.isFolded);
    case "links":
      return linksMatcher(test.allowed);
    case "repeated":
      return repeatsMatcher(test.times, test.withinMs);
    case "authors":
      return authorsMatcher(test.authors);
    case "names":
      return namesMatcher(test.signs);
    case "list":
      // The thread has the contents of lists apart from tests.
      return () => undefined;
  }
}

/** @throws InputError `rule_repeats` */
function repeatsMatcher(times: number, withinMs: number): Matcher {
  const isCount =
    Number.isInteger(times) && times >= bounds.leastTimes && times <= bounds.mostTimes;
  if (!isCount || !(withinMs >= bounds.leastMs && withinMs <= bounds.mostMs)) {
    throw refuseRule("rule_repeats", { least: bounds.leastTimes, most: bounds.mostTimes });
  }
  return ({ timesSaid }) => {
    const count = timesSaid?.(withinMs) ?? 1;
    return count >= times ? `${count} ×` : undefined;
  };
}

export const maxAuthors = 200;

/** @throws InputError `rule_authors` */
function authorsMatcher(authors: Extract<RuleTest, { kind: "authors" }>["authors"]): Matcher {
  if (authors.length === 0) throw refuseRule("rule_authors", { reason: "none" });
  if (authors.length > maxAuthors) {
    throw refuseRule("rule_authors", { reason: "many", most: maxAuthors });
  }
  const names = new Map(authors.map(({ id, name }) => [id, name ?? id]));
  return ({ comment: { authorId } }) => (authorId === undefined ? undefined : names.get(authorId));
}

const maxAllowed = 50;

/**
 * Matches links to other sites than the allowed ones and their subdomains. Links to the channel's own videos, playlists and
 * page are always allowed. @throws InputError `rule_links`
 */
function linksMatcher(allowed: readonly string[]): Matcher {
  if (allowed.length > maxAllowed)
    throw refuseRule("rule_links", { reason: "many", most: maxAllowed });
  const hosts = allowed.map((named) => {
    const host = namedHost(named);
    if (host !== undefined) return host;
    throw refuseRule("rule_links", { reason: "host", link: shortenText(named.trim(), 60) });
  });
  return ({ subject, ownLinks, spend }) => {
    spend?.(subject.written.length);
    const elsewhere = subject.links().find((link) => {
      return !isWithinHosts(link.host, hosts) && !isOwnLink(link, ownLinks);
    });
    return elsewhere?.shown;
  };
}

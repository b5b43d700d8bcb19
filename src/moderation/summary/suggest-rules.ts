import type { AuditEntry } from "../records/index.ts";
import { findLinks } from "../rules/links/find-links.ts";
import { foldCase, normalizeText } from "../rules/text/fold.ts";
import { splitWords } from "../rules/text/tokens.ts";

/** A rule that would have found several comments that people rejected. */
export interface RuleSuggestion {
  readonly kind: "words" | "authors";
  /** A word, the host of a link, or the id of an author's channel. */
  readonly what: string;
  /** The author's name, where it is still stored. */
  readonly name?: string | undefined;
  /** How many rejected comments it would have found. */
  readonly count: number;
}

/** The texts of one week are enough to see a pattern; more would only take longer. */
const mostTexts = 2_000;
const longestText = 500;
const shortestWord = 5;
const mostSuggestions = 3;
/** A word or link is suggested when at least so many people used it, an author after so many rejected comments. */
const least = 3;
/** Below this, a word that no approved comment has may still be a usual one. */
const leastApproved = 20;

/** Counts what rejected comments have in common, as the entries of a week pass by. */
export function createRuleSuggester() {
  /** Who used a word or link in a rejected comment. */
  const users = new Map<string, { readonly isLink: boolean; readonly by: Set<string> }>();
  const authors = new Map<string, { name: string | undefined; count: number }>();
  const approvedWords = new Set<string>();
  const approvedAuthors = new Set<string>();
  let [texts, approved] = [0, 0];

  return {
    add({ act, by, authorId, authorName, text, commentId }: AuditEntry): void {
      const isRejected = act === "rejected" || act === "banned";
      if (!isRejected && act !== "approved") return;
      if (!isRejected && authorId !== undefined) approvedAuthors.add(authorId);
      // What a rule found has its rule already.
      if (isRejected && "ruleId" in by) return;
      if (isRejected && authorId !== undefined) {
        const { count = 0 } = authors.get(authorId) ?? {};
        authors.set(authorId, { name: authorName, count: count + 1 });
      }
      if (text === undefined || texts >= mostTexts) return;
      texts += 1;
      if (!isRejected) {
        approved += 1;
        for (const { what } of findParts(text)) approvedWords.add(what);
        return;
      }
      for (const { what, isLink } of findParts(text)) {
        const found = users.get(what) ?? { isLink, by: new Set() };
        users.set(what, found);
        found.by.add(authorId ?? commentId);
      }
    },
    /** The best ones first, at most three. */
    suggestions(): readonly RuleSuggestion[] {
      const words = [...users]
        .filter(
          ([what, { isLink }]) => !approvedWords.has(what) && (isLink || approved >= leastApproved),
        )
        .map(([what, { by }]) => ({ kind: "words" as const, what, count: by.size }));
      const people = [...authors]
        .filter(([id]) => !approvedAuthors.has(id))
        .map(([what, { name, count }]) => ({ kind: "authors" as const, what, name, count }));
      return [...people, ...words]
        .filter(({ count }) => count >= least)
        .sort((one, other) => other.count - one.count || (one.what < other.what ? -1 : 1))
        .slice(0, mostSuggestions);
    },
  };
}

interface TextPart {
  readonly what: string;
  readonly isLink: boolean;
}

/** The hosts of a text's links, and its longer words. */
function findParts(text: string): readonly TextPart[] {
  const normal = normalizeText(text.slice(0, longestText));
  const hosts = new Set(findLinks(normal).map(({ host }) => host));
  const inHosts = new Set([...hosts].flatMap((host) => host.split(/[.-]/u)));
  const words = [...splitWords(foldCase(normal)).words].filter(
    (word) => word.length >= shortestWord && !inHosts.has(word),
  );
  return [
    ...[...hosts].map((what) => ({ what, isLink: true })),
    ...words.map((what) => ({ what, isLink: false })),
  ];
}

import { createHash } from "node:crypto";
import type { CommentRule, RuleBook } from "../records/index.ts";
import type { RuleDraft } from "../types.ts";

/** Rules that were written down elsewhere, such as in the file of another server. */
export interface ImportedRules {
  readonly rules: readonly (RuleDraft & Pick<CommentRule, "isOn">)[];
  readonly spared?: RuleBook["spared"] | undefined;
  readonly dailyCap?: number | undefined;
}

export interface ImportOptions {
  /** Rules and exempt authors that are not among the imported ones are removed. */
  readonly isWhole: boolean;
}

/** What an import would do. Rules are told apart by their names. */
export interface ImportPlan {
  /** Equal as long as the server's rules and settings are; an import is only carried out on the ones it was planned for. */
  readonly basis: string;
  readonly added: ImportedRules["rules"];
  readonly changed: readonly (ImportedRules["rules"][number] & { readonly before: CommentRule })[];
  readonly removed: readonly CommentRule[];
  /** How many of the added rules do the same as another rule, even if their names differ. */
  readonly alike: number;
  /** How many rules stay as they are. */
  readonly same: number;
  /** The settings as they would be, each only if it changes. */
  readonly spared?: RuleBook["spared"] | undefined;
  readonly dailyCap?: number | undefined;
}

interface PlannedImport extends ImportPlan {
  /** The rules as they would be. A new one has no id. */
  readonly rules: readonly (CommentRule | ImportedRules["rules"][number])[];
}

export function planImport(
  book: RuleBook,
  imported: ImportedRules,
  { isWhole }: ImportOptions,
): PlannedImport {
  const incoming = new Map(keyed(imported.rules));
  // Rules of lists belong to their subscriptions.
  const ofLists = book.rules.filter(({ test }) => test.kind === "list");
  const stored = new Map(keyed(book.rules.filter(({ test }) => test.kind !== "list")));
  const isKept = (key: string) => !isWhole || incoming.has(key);
  const changed: ImportPlan["changed"][number][] = [];
  const kept = [...stored].flatMap(([key, rule]): readonly CommentRule[] => {
    const wanted = incoming.get(key);
    if (wanted === undefined) return isKept(key) ? [rule] : [];
    if (content(wanted) === content(rule)) return [rule];
    changed.push({ ...wanted, before: rule });
    const { off: _, ...rest } = rule;
    return [{ ...rest, ...wanted }];
  });
  const added = [...incoming].flatMap(([key, rule]) => (stored.has(key) ? [] : [rule]));
  const removed = [...stored].flatMap(([key, rule]) => (isKept(key) ? [] : [rule]));
  const effects = [...kept, ...added].map(effect);
  const spared = imported.spared && joinSpared(book.spared, imported.spared, isWhole);
  const { dailyCap } = imported;
  return {
    basis: fingerprint(book),
    added,
    changed,
    removed,
    alike: effects.filter((one, at) => at >= kept.length && effects.indexOf(one) < at).length,
    same: kept.length - changed.length,
    rules: [...ofLists, ...kept, ...added],
    ...(spared !== undefined && !isEqual(spared, book.spared) && { spared }),
    ...(dailyCap !== undefined && dailyCap !== book.dailyCap && { dailyCap }),
  };
}

/** Each rule by its name; further rules of the same name are numbered. */
function keyed<Rule extends Pick<CommentRule, "name">>(
  rules: readonly Rule[],
): readonly (readonly [string, Rule])[] {
  const times = new Map<string, number>();
  return rules.map((rule) => {
    const name = rule.name.normalize("NFKC").toLowerCase();
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    return [`${count} ${name}`, rule];
  });
}

function content({ name, test, does, decision, isOn }: ImportedRules["rules"][number]): string {
  return JSON.stringify([name, sorted(test), does, decision, isOn]);
}

function effect({ test, does, decision }: RuleDraft): string {
  return JSON.stringify([sorted(test), does, decision]);
}

function joinSpared(
  before: RuleBook["spared"],
  { members, authors }: RuleBook["spared"],
  isWhole: boolean,
): RuleBook["spared"] {
  const all = isWhole ? authors : [...before.authors, ...authors];
  const known = new Map(before.authors.map((author) => [author.id, author]));
  const joined = new Map(all.map((author) => [author.id, known.get(author.id) ?? author]));
  return { members, authors: [...joined.values()] };
}

function isEqual(one: RuleBook["spared"], other: RuleBook["spared"]): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function fingerprint({ rules, spared, dailyCap }: RuleBook): string {
  const text = JSON.stringify([rules, spared, dailyCap]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** With its fields in one order. */
function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

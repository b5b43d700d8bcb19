import { createRecordTable, type Database } from "../../database/index.ts";
import type { DecisionKind } from "./held-comment.ts";

/** What a rule looks at. */
export type RuleTest =
  /** Any of these words or phrases; `isFolded`: letters that look alike count as the same. */
  | { readonly kind: "words"; readonly words: readonly string[]; readonly isFolded: boolean }
  /** Any of these, in RE2's syntax. */
  | { readonly kind: "patterns"; readonly patterns: readonly string[]; readonly isFolded: boolean }
  /** Addresses of other sites than the ones that are allowed. */
  | { readonly kind: "links"; readonly allowed: readonly string[] }
  /** The same text so many times within that time, whoever wrote it; the text is compared folded. */
  | { readonly kind: "repeated"; readonly times: number; readonly withinMs: number }
  /** By whom, as channel ids at the video service. */
  | {
      readonly kind: "authors";
      readonly authors: readonly { readonly id: string; readonly name?: string }[];
    };

export interface Rule {
  /** 8 hex digits. */
  readonly id: string;
  /** At most 60 characters. */
  readonly name: string;
  readonly test: RuleTest;
  /** `suggest` marks the card; `act` carries it out. Rules never approve or ban by themselves. */
  readonly does: "suggest" | "act";
  readonly decision: Extract<DecisionKind, "approve" | "hold" | "reject">;
  readonly isOn: boolean;
  /** Why it was switched off without anybody's doing, until somebody switches it. */
  readonly off?: RuleOff;
  readonly addedBy: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface RuleOff {
  /**
   * `comment`: one comment took it too long. `minute`: the server's comments took too long together, and it cost most.
   * `stuck`: it never came to an end.
   */
  readonly why: "comment" | "minute" | "stuck";
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A guild's rules and what holds for all of them. */
export interface RuleBook {
  readonly rules: readonly Rule[];
  /** Whom no rule touches; the channel itself never. `members`: its paying members. */
  readonly spared: {
    readonly members: boolean;
    readonly authors: readonly { readonly id: string; readonly name?: string }[];
  };
  /** Most automatic acts a day. */
  readonly dailyCap: number;
  /** Discord's channel for a line about every automatic act; the watch's when absent. */
  readonly logChannelId?: string;
  /** Automatic acts of a day in the guild's time zone. `isOver`: one more was wanted than there may be. */
  readonly acted?: { readonly day: string; readonly count: number; readonly isOver?: true };
}

/** All of it throws ServiceError `store_unavailable`. */
export function createRuleBooks(database: Database) {
  const table = createRecordTable<"rule_books", RuleBook>(database, {
    table: "rule_books",
    key: [],
  });
  return {
    read: (guildId: string) => table.read(guildId),
    /** As `RecordTable.change`. */
    change: <U extends RuleBook | undefined>(
      guildId: string,
      make: (stored: RuleBook | undefined) => U,
    ) => table.change(guildId, [], make),
  };
}

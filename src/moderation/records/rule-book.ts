import { createRecordTable, type Database } from "../../database/index.ts";
import type { DecisionKind } from "./held-comment.ts";

/** What a rule looks for. */
export type RuleTest =
  /** Any of these words or phrases; `isFolded`: letters that look alike count as the same. */
  | { readonly kind: "words"; readonly words: readonly string[]; readonly isFolded: boolean }
  /** Any of these, in RE2's syntax. */
  | { readonly kind: "patterns"; readonly patterns: readonly string[]; readonly isFolded: boolean }
  /** Links to other sites than the allowed ones. */
  | { readonly kind: "links"; readonly allowed: readonly string[] }
  /** The same folded text so many times within that time, whoever wrote it. */
  | { readonly kind: "repeated"; readonly times: number; readonly withinMs: number }
  /** Comments of these authors, by their YouTube channel ids. */
  | {
      readonly kind: "authors";
      readonly authors: readonly { readonly id: string; readonly name?: string | undefined }[];
    }
  /** Comments of authors whose name, picture or channel has any of these signs. */
  | { readonly kind: "names"; readonly signs: readonly NameSign[] }
  /** Anything that is on a list which the server subscribes to, in this version of it. */
  | { readonly kind: "list"; readonly list: string; readonly version: string };

/**
 * `imitates`: the name looks like the channel's own; `claims`: it claims to be official, to answer for somebody, or says where
 * to write; `links`: there is a link in it; `picture`: the picture is the channel's own; `new`: the channel is younger than a
 * week.
 */
export type NameSign = "imitates" | "claims" | "links" | "picture" | "new";

export interface CommentRule {
  /** 8 hex digits. */
  readonly id: string;
  /** At most 60 characters. */
  readonly name: string;
  readonly test: RuleTest;
  /** `suggest` marks the card; `act` carries the decision out. */
  readonly does: "suggest" | "act";
  readonly decision: Extract<DecisionKind, "approve" | "hold" | "reject">;
  readonly isOn: boolean;
  /** Why the bot switched it off; removed once somebody switches it on or off. */
  readonly off?: RuleSwitchOff | undefined;
  readonly addedBy: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface RuleSwitchOff {
  /**
   * `comment`: it took too long for one comment. `minute`: the server's rules took too long within a minute, and this one
   * cost most. `stuck`: it never ended.
   */
  readonly why: "comment" | "minute" | "stuck";
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A server's rules and their common settings. */
export interface RuleBook {
  readonly rules: readonly CommentRule[];
  /** Whose comments no rule touches, besides the channel's own. `members`: the channel's paying members. */
  readonly spared: {
    readonly members: boolean;
    readonly authors: readonly { readonly id: string; readonly name?: string | undefined }[];
  };
  /** How many automatic acts are allowed per day. */
  readonly dailyCap: number;
  /** The Discord channel where automatic acts are reported; the watch's own when absent. */
  readonly logChannelId?: string | undefined;
  /** Somebody agreed that everyone can read that channel. */
  readonly logMayBePublic?: true | undefined;
  /** Automatic acts of one day in the server's time zone. `isOver`: rules wanted to act more often than the cap allows. */
  readonly acted?:
    | { readonly day: string; readonly count: number; readonly isOver?: true | undefined }
    | undefined;
}

/** The book of a server that never changed anything. */
const blankBook: RuleBook = {
  rules: [],
  spared: { members: false, authors: [] },
  dailyCap: 100,
};

/** All of it throws ServiceError `store_unavailable`. */
export function createRuleBookRecords(database: Database) {
  const table = createRecordTable<"rule_books", RuleBook>(database, {
    table: "rule_books",
    key: [],
  });
  return {
    read: async (guildId: string) => (await table.read(guildId)) ?? blankBook,
    /** As `RecordTable.change`. */
    change: (guildId: string, make: (book: RuleBook) => RuleBook): Promise<RuleBook> =>
      table.change(guildId, [], (stored) => make(stored ?? blankBook)),
    /** Changes a stored book only: an erased server gets no new one. Returns undefined if there is none. */
    changeStored: (guildId: string, make: (book: RuleBook) => RuleBook) =>
      table.change(guildId, [], (stored) => stored && make(stored)),
  };
}

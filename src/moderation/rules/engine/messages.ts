import type { Facts } from "../../../errors.ts";
import type { ListContent, RuleTest } from "../../records/index.ts";
import type { YouTubeLink } from "../links/youtube-links.ts";
import type { MatchedAuthor } from "../matchers/types.ts";

/** A request to the thread. Only plain values are sent, nothing compiled. */
export type ThreadRequest =
  | { readonly kind: "check"; readonly tests: readonly RuleTest[] }
  | { readonly kind: "read"; readonly texts: readonly string[] }
  | TestRequest;

export interface TestRequest {
  readonly kind: "test";
  readonly tests: readonly SentTest[];
  /** Of lists that the thread does not have yet, by their versions. */
  readonly contents?: Readonly<Record<string, ListContent>> | undefined;
  readonly comments: readonly TestedComment[];
  readonly ownLinks?: ReadonlySet<string> | "unknown" | undefined;
  readonly ownNames?: readonly string[] | undefined;
  /** Sites that the server's rules about links allow, as people entered them. */
  readonly allowedSites?: readonly string[] | undefined;
  /** Run every test on every comment; otherwise stop at the first test that matches a comment. */
  readonly isAll: boolean;
  /** The most that one comment may cost. Once all comments together cost this much, the rest is left for another request. */
  readonly maxCostMs: number;
}

interface SentTest {
  readonly key: string;
  /** Absent if the thread has it already. */
  readonly test?: RuleTest | undefined;
}

/** The parts of a comment that tests look at. */
export interface TestedComment extends MatchedAuthor {
  readonly text: string;
  /** How often the same text was written, by time span. */
  readonly timesSaid?: readonly (readonly [withinMs: number, times: number])[] | undefined;
  /** Indexes of the tests to run, in order; all when absent. */
  readonly order?: readonly number[] | undefined;
}

export type ThreadAnswer =
  | { readonly kind: "checked" }
  | ({ readonly kind: "read" } & ReadTexts)
  | ({ readonly kind: "tested" } & TestAnswer)
  /** It does not have all of the tests. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly code: string; readonly facts: Facts }
  | { readonly kind: "failed"; readonly reason: string };

export interface ReadTexts {
  /** Links to YouTube in any of the texts. */
  readonly links: readonly YouTubeLink[];
  /** One for each text: equal for texts that say the same, undefined for short ones. */
  readonly likenesses: readonly (string | undefined)[];
}

export interface TestAnswer {
  /** For the first comments, at least for one. */
  readonly findings: readonly TestFindings[];
  readonly costsMs: readonly number[];
  /** Tests that could not run, and why. */
  readonly failed: readonly { readonly at: number; readonly reason: string }[];
}

export interface TestFindings {
  readonly found: readonly { readonly at: number; readonly by: string }[];
  /** Whether all tests ran. */
  readonly isWhole: boolean;
  /** If the comment cost too much: the test that cost most. */
  readonly dearest?: number | undefined;
}

import type { Facts } from "../../../errors.ts";
import type { RuleTest } from "../../records/index.ts";
import type { PlatformLink } from "../links/platform-links.ts";

/** What the thread is asked. Texts and tests are plain values, and nothing compiled travels. */
export type ThreadRequest =
  | { readonly kind: "check"; readonly tests: readonly RuleTest[] }
  | { readonly kind: "read"; readonly texts: readonly string[] }
  | LookRequest;

export interface LookRequest {
  readonly kind: "look";
  readonly tests: readonly SentTest[];
  readonly comments: readonly LookedAt[];
  readonly ownLinks?: ReadonlySet<string> | "unknown" | undefined;
  /** Every test is asked about every comment; otherwise the first that finds something is enough. */
  readonly isAll: boolean;
  /** Most that one comment may cost; once all together did, the rest is left for another request. */
  readonly maxCostMs: number;
}

interface SentTest {
  readonly key: string;
  /** Absent where the thread was told of it before. */
  readonly test?: RuleTest | undefined;
}

/** A comment, as far as tests look at it. */
export interface LookedAt {
  readonly text: string;
  readonly authorId?: string | undefined;
  /** How often such a text was written, by the time within which. */
  readonly timesSaid?: readonly (readonly [withinMs: number, times: number])[] | undefined;
  /** Which tests are asked, in their order, by their place; all when absent. */
  readonly order?: readonly number[] | undefined;
}

export type ThreadAnswer =
  | { readonly kind: "checked" }
  | ({ readonly kind: "read" } & ReadTexts)
  | ({ readonly kind: "looked" } & Looked)
  /** It was not told of all tests, or has forgotten some. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly code: string; readonly facts: Facts }
  | { readonly kind: "failed"; readonly reason: string };

export interface ReadTexts {
  /** Addresses of the video platform in any of the texts. */
  readonly links: readonly PlatformLink[];
  /** By text; the same for texts that say the same, undefined for short ones. */
  readonly likenesses: readonly (string | undefined)[];
}

export interface Looked {
  /** Of the first comments; of one at least. */
  readonly looks: readonly Look[];
  /** By test. */
  readonly costsMs: readonly number[];
  /** Tests that could not be asked, and why. */
  readonly faults: readonly { readonly at: number; readonly reason: string }[];
}

export interface Look {
  readonly found: readonly { readonly at: number; readonly by: string }[];
  /** Whether all was asked that there was to ask. */
  readonly isWhole: boolean;
  /** The test that cost most of a comment that cost too much. */
  readonly dearest?: number | undefined;
}

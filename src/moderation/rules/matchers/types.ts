import type { QueuedComment } from "../../records/index.ts";
import type { TextForms } from "../text/text-forms.ts";

export interface MatchInput {
  readonly comment: Pick<QueuedComment, "authorId">;
  readonly subject: TextForms;
  /** The `linkKey`s of links that lead to the channel itself; none when absent. */
  readonly ownLinks?: ReadonlySet<string> | "unknown" | undefined;
  /** How often the same text was written within a time span, this comment included. */
  readonly timesSaid?: ((withinMs: number) => number) | undefined;
  /** Called before a piece of work with the most steps that it can take. @throws to stop work that costs too much */
  readonly spend?: ((steps: number) => void) | undefined;
}

/** What matched, as people read it; undefined if nothing did. */
export type Matcher = (input: MatchInput) => string | undefined;

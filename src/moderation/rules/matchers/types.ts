import type { QueuedComment } from "../../records/index.ts";
import type { TextForms } from "../text/text-forms.ts";

/** What is known about a comment's author. */
export interface MatchedAuthor extends Pick<QueuedComment, "authorId" | "authorName"> {
  /** The picture is the linked channel's own. */
  readonly hasOwnPicture?: boolean | undefined;
  /** When the author's channel was made, if it is new. Milliseconds since the epoch. */
  readonly newSince?: number | undefined;
}

export interface MatchInput {
  readonly comment: MatchedAuthor;
  readonly subject: TextForms;
  /** The title and the handle of the linked channel. */
  readonly ownNames?: readonly string[] | undefined;
  /** The `linkKey`s of links that lead to the channel itself; none when absent. */
  readonly ownLinks?: ReadonlySet<string> | "unknown" | undefined;
  /** Hosts that the server's rules about links allow: no list matches them. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** How often the same text was written within a time span, this comment included. */
  readonly timesSaid?: ((withinMs: number) => number) | undefined;
  /** Called before a piece of work with the most steps that it can take. @throws to stop work that costs too much */
  readonly spend?: ((steps: number) => void) | undefined;
}

/** What matched, as people read it; undefined if nothing did. */
export type Matcher = (input: MatchInput) => string | undefined;

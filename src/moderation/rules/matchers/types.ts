import type { QueuedComment } from "../../records/index.ts";
import type { Subject } from "../text/subject.ts";

export interface Looking {
  readonly comment: Pick<QueuedComment, "authorId">;
  readonly subject: Subject;
  /** What of the video platform's addresses leads to the channel itself, as `linkKey` names it; none when absent. */
  readonly ownLinks?: ReadonlySet<string> | "unknown" | undefined;
  /** How often such a text was written within that time, this one included. */
  readonly timesSaid?: ((withinMs: number) => number) | undefined;
  /** Told before a piece of work how many steps it takes at most. @throws what ends a work that costs too much */
  readonly spend?: ((steps: number) => void) | undefined;
}

/** What of it was found, as it is shown to people; undefined when nothing was. */
export type Matcher = (looking: Looking) => string | undefined;

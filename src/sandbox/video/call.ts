import type { Query } from "./query.ts";
import type { World } from "./world/index.ts";

/** One request, checked and let in. */
export interface Call {
  readonly world: World;
  readonly query: Query;
  /** The channel that a token speaks for; undefined with a key alone. */
  readonly viewer: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where pictures are served. */
  readonly origin: string;
}

/** Does a method's work and gives the body of its answer. */
export type Handler = (call: Call) => object;

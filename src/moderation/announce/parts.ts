import type { Decider } from "../decide/index.ts";
import type { Judge, PartOptions } from "../parts.ts";
import type { Troubles } from "../trouble/index.ts";

/** What the parts of this folder share. */
export interface AnnounceDeps extends PartOptions {
  readonly judge: Judge;
  readonly decider: Decider;
  readonly troubles: Troubles;
}

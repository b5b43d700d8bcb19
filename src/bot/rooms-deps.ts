import type { Config } from "../config.ts";
import type { Discord } from "../discord/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log, Secrets } from "../log.ts";
import type { CostKind } from "../moderation/index.ts";
import type { Store } from "../store/index.ts";

/** What all rooms are made with. */
export interface RoomsDeps {
  readonly config: Config;
  readonly jobs: Jobs;
  readonly store: Store;
  /** Connected later, because the connection needs the rooms. */
  readonly discord: Promise<Discord>;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly random: () => number;
  /** What stands in for the public internet, in a sandbox. */
  readonly publicStandIn?: string | undefined;
  /** How the cost of running rules is counted; by the CPU time of the rule thread when absent. */
  readonly ruleCosts?: CostKind | undefined;
}

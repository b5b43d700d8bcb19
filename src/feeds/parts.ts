import type { Clock } from "../clock.ts";
import type { Desk } from "../desk.ts";
import type { Http } from "../http/index.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/index.ts";
import type { Left, VideoClient } from "../video/index.ts";

/** What announcing is made with, in `bot.ts`. */
export interface FeedsOptions {
  readonly store: Pick<Store, "feeds" | "leases" | "tickets" | "guilds">;
  readonly desk: Desk;
  /** Reads with what the guild has: its key, else its linked channel. @throws ConnectError where it has neither. */
  readonly video: (guildId: string) => Promise<VideoClient>;
  /** Units of that credential's project. */
  readonly left: (guildId: string) => Promise<Left>;
  /** Name of that project, which several guilds may share; each has its own when absent. */
  readonly project?: (guildId: string) => Promise<string | undefined>;
  /** Says where the server hears such things, and to its owner, why a feed is off. */
  readonly tell: (happening: {
    readonly name: string;
    readonly facts: unknown;
  }) => Promise<unknown>;
  readonly owns: (guildId: string) => boolean;
  readonly http: Http;
  /** Where the hub is, and where it reaches this bot; without the latter feeds are polled. */
  readonly hub: { readonly url: string; readonly callbackUrl: string | undefined };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

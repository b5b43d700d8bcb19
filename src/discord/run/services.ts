import type { Kind } from "../../errors.ts";
import type { Http } from "../../http/index.ts";
import type { Languages } from "../../language/index.ts";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/index.ts";

/** What interactions are answered with; made once, in `bot.ts`. */
export interface Services {
  readonly store: Store;
  readonly http: Http;
  readonly languages: Languages;
  /** Filled when the commands are registered. */
  readonly commandIds: Map<string, string>;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Hosts that attachments come from, `host` or `host:port`. */
  readonly attachmentHosts: readonly string[];
  /** Where people's browsers find Discord. */
  readonly siteUrl: string;
  /** Id of this process among all that share the database; another one after it was taken for dead. */
  readonly processId: string;
  /** Called with each interaction once it is over; must not throw. */
  readonly observer?: (observed: ObservedOutcome) => void;
}

/** How one interaction ended; nothing in it says whose it was. */
export interface ObservedOutcome {
  readonly kind: "command" | "menu" | "action" | "suggestion" | "unknown";
  /** The declared path, title or name; undefined where nobody declared it, and for presses that are too old. */
  readonly name: string | undefined;
  /** `expired`: not acknowledged in time. `lost`: Discord did not accept the answer. */
  readonly outcome: "answered" | "failed" | "expired" | "lost";
  /** From the arrival to the first answer; undefined where there was none. */
  readonly acknowledgedMs: number | undefined;
  /** From the arrival to the end of all work. */
  readonly ms: number;
  /** A kind and a code of `errors.ts`. Everything else is our own bug, and is called `bug`. */
  readonly failure: { readonly kind: Kind | "bug"; readonly code: string } | undefined;
}

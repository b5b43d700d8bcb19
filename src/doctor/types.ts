import type { Config } from "../config.ts";
import type { Http } from "../http/index.ts";

/** `wrong` keeps something from working; `warning` works now and may not later; `skipped` could not be looked at. */
export type State = "ok" | "warning" | "wrong" | "skipped";

/** One line of the table. */
export interface Finding {
  readonly check: string;
  readonly state: State;
  /** What was found, as a phrase. */
  readonly found: string;
  /** What to do about it, as a sentence. */
  readonly advice?: string;
}

/** What is looked at, and with what. */
export interface Practice {
  readonly config: Config;
  readonly http: Http;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function ok(check: string, found: string): Finding {
  return { check, state: "ok", found };
}

export function skipped(check: string, found: string): Finding {
  return { check, state: "skipped", found };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: "warning", found, advice };
}

export function wrong(check: string, found: string, advice: string): Finding {
  return { check, state: "wrong", found, advice };
}

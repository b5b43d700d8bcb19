import type { Config } from "../../config.ts";
import type { Http } from "../../http/index.ts";

/** `wrong`: something does not work; `warning`: it works now and may not later; `skipped`: it could not be checked. */
export type FindingState = "ok" | "warning" | "wrong" | "skipped";

/** One line of the table. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  /** What was found, as a phrase. */
  readonly found: string;
  /** What to do about it, as a sentence. */
  readonly advice?: string;
}

/** What the checks look at, and what they need for it. */
export interface DoctorContext {
  readonly config: Config;
  readonly http: Http;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function okFinding(check: string, found: string): Finding {
  return { check, state: "ok", found };
}

export function skippedFinding(check: string, found: string): Finding {
  return { check, state: "skipped", found };
}

export function warningFinding(check: string, found: string, advice: string): Finding {
  return { check, state: "warning", found, advice };
}

export function wrongFinding(check: string, found: string, advice: string): Finding {
  return { check, state: "wrong", found, advice };
}

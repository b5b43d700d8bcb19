import type { Config } from "../../config.ts";
import type { Http } from "../../http/index.ts";

/** `wrong`: something does not work; `warning`: it works now and may not later; `skipped`: it could not be checked. */
export type FindingState = "ok" | "warning" | "wrong" | "skipped";

export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  /** What was found, as a phrase. */
  readonly found: string;
  /** What to do about it, as a sentence. */
  readonly advice?: string;
}

export interface DoctorContext {
  readonly config: Config;
  readonly http: Http;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function formatCount(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}

export function findingsAbout(check: string) {
  return {
    ok: (found: string): Finding => ({ check, state: "ok", found }),
    skipped: (found: string): Finding => ({ check, state: "skipped", found }),
    warning: (found: string, advice: string): Finding => ({
      check,
      state: "warning",
      found,
      advice,
    }),
    wrong: (found: string, advice: string): Finding => ({ check, state: "wrong", found, advice }),
  };
}

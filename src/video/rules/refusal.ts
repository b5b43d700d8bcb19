import type { BotError, Facts } from "../../errors.ts";
import { build } from "../failures/known.ts";
import { known, knownByStatus } from "../failures/known-failures.ts";

export interface Foreseen {
  /** The service's reason, as it would have come. */
  readonly reason: string;
  readonly status: 400 | 403 | 404;
  readonly method: string;
  readonly facts?: Facts;
}

/** What the service would refuse, refused before it is asked: in the same words, and for no units. */
export function refusal(why: string, { reason, status, method, facts }: Foreseen): BotError {
  const chosen = known(reason, status, method) ?? knownByStatus(status, reason);
  return build(chosen, `${method}: ${why}`, { code: chosen.code, facts: { ...facts, method } });
}

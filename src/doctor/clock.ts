import type { Asked } from "./ask.ts";
import { type Finding, ok, skipped, warning, wrong } from "./types.ts";

const check = "clock";
const advice = "Let the system set its clock: timedatectl set-ntp true.";
/** Tokens are used up to half a minute before their end; signatures and TLS bear a few minutes. */
const bounds = { warnMs: 5_000, wrongMs: 30_000 } as const;

/** Against the clocks of those who answered; the nearest counts, because a proxy may repeat an old answer. */
export function clock(answers: readonly Asked[]): Finding {
  const offs = answers.flatMap(offOf);
  const [least] = offs.sort((a, b) => Math.abs(a) - Math.abs(b));
  if (least === undefined) return skipped(check, "nobody told the time");
  const seconds = Math.round(Math.abs(least) / 1000);
  const found = `${seconds} s ${least > 0 ? "behind" : "ahead of"} the services'`;
  if (Math.abs(least) >= bounds.wrongMs) return wrong(check, found, advice);
  if (Math.abs(least) >= bounds.warnMs) return warning(check, found, advice);
  return ok(check, "right to within a few seconds");
}

function offOf({ response, ...asked }: Asked): readonly number[] {
  const date = Date.parse(response?.headers.date ?? "");
  if (Number.isNaN(date) || !("at" in asked)) return [];
  // The header is cut to whole seconds.
  return [date + 500 - asked.at];
}

import { isChosen } from "./check/value.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

/** Whether a call with these parameters is refused without a token. */
export function needsToken(row: MethodSpec, given: Given): boolean {
  if (row.auth === "token") return true;
  for (const name in given) {
    const needed = row.query[name]?.needsToken;
    if (needed !== undefined && isAmong(given[name], needed)) return true;
  }
  return false;
}

function isAmong(value: unknown, needed: true | readonly string[]): boolean {
  if (needed === true) return isChosen(value);
  return [value].flat().some((one) => needed.includes(String(one)));
}

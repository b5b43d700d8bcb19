import type { MethodSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

/** Whether a call with these parameters is refused without a token. */
export function needsToken(row: MethodSpec, given: Given): boolean {
  if (row.auth === "token") return true;
  for (const name in given) {
    const needed = row.query[name]?.needsToken;
    if (needed !== undefined && isChosen(given[name], needed)) return true;
  }
  return false;
}

function isChosen(value: unknown, needed: true | readonly string[]): boolean {
  if (value === undefined || value === false || value === "") return false;
  if (needed === true) return true;
  return [value].flat().some((one) => needed.includes(String(one)));
}

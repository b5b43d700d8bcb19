import type { MethodSpec } from "../methods/spec.ts";
import type { Given } from "../split.ts";
import { checkBody } from "./body.ts";
import { invalid, missing, shown } from "./fault.ts";
import { checkFilters, checkParams, unknown } from "./params.ts";
import { planOf } from "./plan.ts";
import { isRecord } from "./value.ts";

/**
 * Holds parameters against the row before anything is sent, because a refused call costs units too.
 * @throws InputError `missing_parameter`, `invalid_parameter`, `unknown_parameter` or `conflicting_parameters`; its
 * facts name the `parameter`, what it `was` and what is `allowed`.
 */
export function check(method: string, row: MethodSpec, given: Given): void {
  const plan = planOf(row);
  checkParams(method, plan, given);
  checkFilters(method, row, given);
  if (plan.body) checkBody(method, row, plan.body, given);
  else if (given.body !== undefined) throw unknown(method, "body", plan.names);
  requireMedia(method, row, given.media);
}

/** Whether there is what is to be uploaded; how long and of what type it is shows when it is read. */
function requireMedia(method: string, row: MethodSpec, given: unknown): void {
  const { media } = row;
  if (media?.direction !== "up") {
    if (given !== undefined) throw unknown(method, "media", planOf(row).names);
    return;
  }
  if (given === undefined) {
    if (!media.optional) throw missing(method, "media");
    return;
  }
  const isMedia = isRecord(given) && typeof given.data === "object" && given.data !== null;
  if (isMedia && typeof given.type === "string" && given.type !== "") return;
  throw invalid(method, {
    parameter: "media",
    allowed: "an object with data and type",
    rule: { rule: "object" },
    was: shown(given),
  });
}

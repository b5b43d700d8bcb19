import { checkCall } from "./check/check.ts";
import { checkPlanFor } from "./check/check-plan.ts";
import { describeValue, invalidParameterError } from "./check/parameter-errors.ts";
import { isGiven } from "./check/values.ts";
import type { CallParams, MethodSpec, ParamSpec } from "./methods/spec.ts";

export interface EncodedCall {
  /** Below the base address, with its placeholders filled. */
  readonly path: string;
  readonly query: string;
  /** JSON, when there is a body. */
  readonly body: string | undefined;
}

/** Turns parameters into path, query and body. @throws InputError when they do not fit the method. */
export function encodeCall(
  method: string,
  methodSpec: MethodSpec,
  params: CallParams,
): EncodedCall {
  checkCall(method, methodSpec, params);
  const { names, specs, choices } = checkPlanFor(methodSpec);
  let query = "";
  let { path } = methodSpec;
  const hasPlaceholders = path.includes("{");
  // In the order of the table, so that equal calls have equal addresses.
  for (const name of names) {
    const value = params[name];
    if (value === undefined || !isGiven(value)) continue;
    // `mine: false` beside another filter means that the other filter applies.
    if (value === false && choices.has(name)) continue;
    const text = paramText(name, specs.get(name), value);
    if (hasPlaceholders && path.includes(`{${name}}`)) {
      // Even when encoded, these would be steps up in the path.
      if (text === "." || text === "..") {
        throw invalidParameterError(method, {
          parameter: name,
          allowed: "an id",
          was: describeValue(text),
        });
      }
      path = path.replace(`{${name}}`, () => encodeText(text));
    } else {
      query += `${query === "" ? "" : "&"}${queryPair(name, text)}`;
    }
  }
  return {
    path,
    query,
    body: params.body === undefined ? undefined : encodeBody(method, params.body),
  };
}

function encodeBody(method: string, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    const was = "something with circles or numbers without an end";
    throw invalidParameterError(method, { parameter: "body", allowed: "what JSON can hold", was });
  }
}

export function queryPair(name: string, text: string): string {
  return `${name}=${encodeText(text)}`;
}

/** Texts cut in the middle of a surrogate pair have no encoding; `toWellFormed` mends them. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function paramText(name: string, spec: ParamSpec | undefined, value: unknown): string {
  if (!spec?.repeated || !Array.isArray(value)) return toText(value);
  if (name !== "part") return value.map(toText).join(",");
  // `part` is sorted, without repeats, for the same reason. In other lists the order may matter.
  const parts = value.map(toText).sort();
  return parts.filter((part, index) => part !== parts[index - 1]).join(",");
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

import { InputError } from "../../../src/errors.ts";
import { checkCall } from "../../../src/video/check/check.ts";
import { type MethodSpec, methods } from "../../../src/video/index.ts";

/** A method with one parameter of every kind. */
export const things: MethodSpec = {
  verb: "POST",
  path: "/things/{id}",
  title: "Change a thing",
  auth: "token",
  scopes: [],
  bucket: "units",
  cost: 50,
  effect: "write",
  retry: "set",
  query: {
    part: { type: "string", about: "", required: true, repeated: true, enum: ["id", "snippet"] },
    id: { type: "string", about: "", required: true },
    many: { type: "string", about: "", repeated: true, maxItems: 2 },
    count: { type: "integer", about: "", min: 1, max: 50 },
    any: { type: "integer", about: "" },
    at: { type: "datetime", about: "" },
    flag: { type: "boolean", about: "" },
    one: { type: "boolean", about: "" },
    other: { type: "boolean", about: "" },
  },
  filters: { atMostOne: ["one", "other"] },
  body: { resource: "Thing", fields: {} },
};

/** The error with which a call of a method is rejected. */
export function refusal(
  method: keyof typeof methods,
  given: Readonly<Record<string, unknown>>,
): InputError {
  return refusalBy(method, methods[method], given);
}

export function refusalBy(
  method: string,
  row: MethodSpec,
  given: Readonly<Record<string, unknown>>,
): InputError {
  try {
    checkCall(method, row, given);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error(`${method} lets ${JSON.stringify(given)} pass`);
}

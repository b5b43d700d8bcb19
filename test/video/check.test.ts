import { describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { check } from "../../src/video/check.ts";
import { sign } from "../../src/video/credentials.ts";
import { encode } from "../../src/video/encode.ts";
import type { MethodSpec } from "../../src/video/methods/spec.ts";
import { splitLists } from "../../src/video/split.ts";

const row: MethodSpec = {
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

const good = { part: ["id"], id: "a", body: {} };

function refusal(given: Readonly<Record<string, unknown>>): InputError {
  try {
    check("things.set", row, given);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("check", () => {
  it.each([
    ["part", "missing_parameter", { ...good, part: undefined }],
    ["part", "missing_parameter", { ...good, part: [] }],
    ["id", "missing_parameter", { ...good, id: "" }],
    ["body", "missing_parameter", { ...good, body: undefined }],
    ["body", "missing_parameter", { ...good, body: [] }],
    ["maxResult", "unknown_parameter", { ...good, maxResult: 5 }],
    ["toString", "unknown_parameter", { ...good, toString: "x" }],
    ["part", "invalid_parameter", { ...good, part: ["id", "nope"] }],
    ["count", "invalid_parameter", { ...good, count: 0 }],
    ["count", "invalid_parameter", { ...good, count: 51 }],
    ["count", "invalid_parameter", { ...good, count: 1.5 }],
    ["count", "invalid_parameter", { ...good, count: "5" }],
    ["any", "invalid_parameter", { ...good, any: Number.NaN }],
    ["at", "invalid_parameter", { ...good, at: "yesterday" }],
    ["at", "invalid_parameter", { ...good, at: "2026-01-01" }],
    ["at", "invalid_parameter", { ...good, at: new Date(Number.NaN) }],
    ["flag", "invalid_parameter", { ...good, flag: "true" }],
    ["many", "invalid_parameter", { ...good, many: ["a", 1] }],
    ["one, other", "conflicting_parameters", { ...good, one: true, other: true }],
  ])("refuses %s as %s", (parameter, code, given) => {
    const error = refusal(given);

    expect(error.code).toBe(code);
    expect(error.facts.parameter).toBe(parameter);
  });

  it.each([
    good,
    { ...good, count: 1, any: -7, flag: false, at: new Date(0), many: ["a"] },
    { ...good, at: "2026-01-01T10:00:00.5-08:00", one: true, other: false },
    { ...good, count: undefined },
  ])("lets %j pass", (given) => {
    expect(() => check("things.set", row, given)).not.toThrow();
  });

  it("names what is allowed", () => {
    expect(refusal({ ...good, part: ["nope"] }).facts.allowed).toBe("one of id, snippet");
    expect(refusal({ ...good, count: 0 }).hint).toContain("a whole number from 1 to 50");
  });
});

describe("encode", () => {
  it("fills the path, keeps that parameter out of the query and writes the body as JSON", () => {
    const given = { ...good, id: "a/b $&", body: { snippet: { title: "x" } } };

    const { path, query, body } = encode("things.set", row, given);

    expect(path).toBe("/things/a%2Fb%20%24%26");
    expect(query).toBe("part=id");
    expect(body).toBe('{"snippet":{"title":"x"}}');
  });

  it("encodes any text, half a surrogate pair too", () => {
    const { query } = encode("things.set", row, { ...good, many: ["ü&=+ /", "cut \ud83d"] });

    expect(new URLSearchParams(query).get("many")).toBe("ü&=+ /,cut \ufffd");
  });

  it("has no body where the row has none", () => {
    const { body: _body, ...bare } = row;

    expect(encode("things.get", bare, { part: ["id"], id: "a" }).body).toBeUndefined();
  });
});

describe("splitLists", () => {
  it("refuses a write of more than one call takes", () => {
    expect(() => splitLists("things.set", row, { many: ["a", "b", "c"] })).toThrow(
      expect.objectContaining({
        code: "too_many_items",
        facts: expect.objectContaining({ maxItems: 2 }),
      }),
    );
  });

  it("leaves a write alone that fits", () => {
    expect(splitLists("things.set", row, { many: ["a", "b"] })).toBeUndefined();
  });
});

describe("sign", () => {
  it("refuses a row that needs a token when there is only a key", async () => {
    await expect(sign("things.set", row, { key: "k" })).rejects.toThrow(
      expect.objectContaining({ code: "token_missing", kind: "connect" }),
    );
  });

  it("prefers the key where the row takes nothing else", async () => {
    const signed = await sign("things.get", { ...row, auth: "key" }, { key: "k", token: "t" });

    expect(signed).toEqual({ pair: "key=k", by: "key" });
  });
});

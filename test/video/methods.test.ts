import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { type MethodSpec, methods } from "../../src/video/index.ts";

const rows: [string, MethodSpec][] = Object.entries(methods);

/** The types of a client that was written by others from the service's own description. */
const declarations = readFileSync(
  createRequire(import.meta.url).resolve("@googleapis/youtube/build/v3.d.ts"),
  "utf8",
);

function declaredParams(method: string): string[] {
  const [resource = "", verb = ""] = method.split(".");
  const name = `Params$Resource$${capital(resource.toLowerCase())}$${capital(verb.toLowerCase())}`;
  const start = declarations.indexOf(`interface ${name} `);
  const body = declarations.slice(
    declarations.indexOf("{", start),
    declarations.indexOf("}", start),
  );
  return [...body.matchAll(/^\s+'?([\w$.]+)'?\?:/gm)].map(([, param = ""]) => param);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

describe("methods", () => {
  it.each(rows)("%s takes the parameters that the service's own client takes", (method, row) => {
    const declared = declaredParams(method);

    expect(declared).toContain("part");
    expect(Object.keys(row.query).sort()).toEqual(declared.sort());
  });

  it.each(rows)("%s names only its own parameters in filters and path", (_method, row) => {
    const named = [
      ...(row.filters?.exactlyOne ?? []),
      ...(row.filters?.atMostOne ?? []),
      ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    ];

    expect(Object.keys(row.query)).toEqual(expect.arrayContaining(named));
  });

  it.each(rows)("%s has a default within its bounds and its values", (_method, row) => {
    for (const spec of Object.values(row.query)) {
      if (typeof spec.default === "number") {
        expect(spec.default).toBeGreaterThanOrEqual(spec.min ?? -Infinity);
        expect(spec.default).toBeLessThanOrEqual(spec.max ?? Infinity);
      }
      for (const value of String(spec.default ?? "").split(",")) {
        if (spec.default !== undefined && spec.enum) expect(spec.enum).toContain(value);
      }
    }
  });
});

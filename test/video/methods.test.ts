import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { type MethodSpec, methods } from "../../src/video/index.ts";

const rows: [string, MethodSpec][] = Object.entries(methods);

/** The types of Google's own client, which is generated from YouTube's description of its API. */
const declarations = readFileSync(
  createRequire(import.meta.url).resolve("@googleapis/youtube/build/v3.d.ts"),
  "utf8",
);

function declaredParams(method: string): string[] {
  const [resource = "", verb = ""] = method.split(".");
  const name = `Params$Resource$${capital(resource.toLowerCase())}$${capital(verb.toLowerCase())}`;
  const start = declarations.indexOf(`interface ${name} `);
  const body = declarations.slice(start, declarations.indexOf("\n    }", start));
  return [...body.matchAll(/^ {8}'?([\w$.]+)'?\?:/gm)].map(([, param = ""]) => param);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Parameters that only Google's client has: its options, and those that carry the body or media. */
const notOfTheService: ReadonlySet<string> = new Set(["requestBody", "media"]);

/** Google's client accepts a body here too, though a picture is all that can be sent. */
const bare: ReadonlySet<string> = new Set(["channelBanners.insert", "thumbnails.set"]);

describe("methods", () => {
  it.each(rows)("%s takes the parameters that the service's own client takes", (method, row) => {
    const declared = declaredParams(method).filter((name) => !notOfTheService.has(name));

    expect(Object.keys(row.query).sort()).toEqual(declared.sort());
  });

  it.each(rows)("%s has a body and media where the service's own client has", (method, row) => {
    const declared = new Set(declaredParams(method));

    expect(row.media?.direction === "up").toBe(declared.has("media"));
    expect(row.body !== undefined).toBe(declared.has("requestBody") && !bare.has(method));
  });

  it.each(rows)("%s names only its own parameters", (_method, row) => {
    const params = Object.values(row.query);
    const named = [
      ...(row.filters?.exactlyOne ?? []),
      ...(row.filters?.atMostOne ?? []),
      ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
      ...params.flatMap(({ needs, notWith = [] }) => [...Object.keys(needs ?? {}), ...notWith]),
    ];

    expect(Object.keys(row.query)).toEqual(expect.arrayContaining(named));
  });

  it.each(rows)("%s needs only values that can be given", (_method, row) => {
    for (const { needs = {}, needsToken, enum: own } of Object.values(row.query)) {
      for (const [name, value] of Object.entries(needs)) {
        if (value !== true) expect(row.query[name]?.enum).toContain(value);
      }
      if (Array.isArray(needsToken)) expect(own).toEqual(expect.arrayContaining(needsToken));
    }
    const fields = row.body?.fields ?? {};
    for (const { needs = {} } of Object.values(fields)) {
      for (const [place, value] of Object.entries(needs)) {
        expect(fields[place]?.enum).toContain(value);
      }
    }
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

  it.each(rows)("%s sends no placeholder of the wire", (_method, row) => {
    const values = [...Object.values(row.query), ...Object.values(row.body?.fields ?? {})];

    for (const { enum: allowed = [] } of values) {
      expect(allowed.join(" ")).not.toMatch(/unspecified|undefined/i);
    }
  });

  it.each(rows)("%s is repeated as its effect allows", (_method, row) => {
    const allowed = {
      GET: ["read"],
      POST: ["create", "set", "upload"],
      PUT: ["set"],
      DELETE: ["delete"],
    };

    expect(allowed[row.verb]).toContain(row.retry);
    expect(row.effect === "read").toBe(row.verb === "GET");
    expect(row.effect === "destroy").toBe(/\.(delete|unset)$/.test(_method));
    expect(row.auth === "token" || row.effect === "read").toBe(true);
  });

  it.each(rows)(
    "%s stores the fields of its body in parts that `part` can name",
    (_method, row) => {
      const parts = row.query.part?.enum;
      if (parts === undefined) return;

      // The body's own id is not a part.
      const places = Object.keys(row.body?.fields ?? {}).filter((place) => place !== "id");
      for (const place of places) {
        expect(parts).toContain(place.split(".")[0]);
      }
    },
  );
});

const lookups = rows.flatMap(([method, row]) =>
  row.lookup ? [[method, row, row.lookup] as const] : [],
);
const updates = rows.filter(([, { reads }]) => reads !== undefined);

describe("a create", () => {
  it("is looked up wherever a list shows what was made", () => {
    const created = rows.filter(([, { retry }]) => retry === "create").map(([name]) => name);

    // YouTube has no list of abuse reports.
    expect(
      lookups
        .map(([name]) => name)
        .concat("videos.reportAbuse")
        .sort(),
    ).toEqual(created.sort());
  });

  it.each(lookups)("%s is looked up with parameters its list takes", (_method, row, lookup) => {
    const list = byName(lookup.method);
    const { params, from = {} } = lookup;

    expect(list.result).toEqual({ kind: "list", resource: row.result?.resource });
    for (const [name, value] of Object.entries(params)) {
      const spec = list.query[name];
      expect(spec).toBeDefined();
      if (spec?.enum) expect(spec.enum).toEqual(expect.arrayContaining([value].flat()));
    }
    expect(Object.keys(list.query)).toEqual(expect.arrayContaining(Object.keys(from)));
    const chosen = new Set([...Object.keys(params), ...Object.keys(from)]);
    expect(list.filters?.exactlyOne?.filter((name) => chosen.has(name)) ?? [""]).toHaveLength(1);
  });

  it.each(lookups)("%s compares what its list shows", (_method, row, lookup) => {
    const shown = lookup.params.part;
    const settable = Object.keys(row.body?.fields ?? {});

    for (const place of [...lookup.same, lookup.madeAt ?? []].flat()) {
      expect(shown).toContain(place.split(".")[0]);
    }
    for (const place of [...lookup.same, ...Object.values(lookup.from ?? {})]) {
      expect(settable.some((one) => place === one || place.startsWith(`${one}.`))).toBe(true);
    }
  });
});

describe("an update", () => {
  it.each(updates)("%s reads the same resource by its id before it writes", (_method, row) => {
    const list = byName(row.reads ?? "");

    expect(list.result).toEqual({ kind: "list", resource: row.result?.resource });
    expect(list.query.id).toMatchObject({ repeated: true });
    expect(row.body?.fields.id).toMatchObject({ required: true });
    expect(list.query.part?.enum).toEqual(
      expect.arrayContaining([...(row.query.part?.enum ?? [])]),
    );
  });
});

function byName(method: string): MethodSpec {
  const row = rows.find(([name]) => name === method)?.[1];
  if (row === undefined) throw new Error(`there is no ${method}`);
  return row;
}

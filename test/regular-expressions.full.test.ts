import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import { parseSync, Visitor } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { type Expression, listedExpressions } from "./support/listed-expressions.ts";

const root = join(import.meta.dirname, "..");

function expressionsOf(file: string): readonly Expression[] {
  const code = readFileSync(join(root, file), "utf8");
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const found: Expression[] = [];
  const made = (node: { callee: { type: string; name?: string }; start: number; end: number }) => {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
    found.push({ file, text: code.slice(node.start, node.end).replace(/\s+/gu, " ") });
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node) found.push({ file, text: node.raw ?? "" });
    },
    NewExpression: made as never,
    CallExpression: made as never,
  }).visit(program);
  return found;
}

/** Why the expression is not proven to run in linear time; undefined when it is. */
async function faultOf(text: string): Promise<string | undefined> {
  if (!text.startsWith("/")) return "made at run time";
  const end = text.lastIndexOf("/");
  const [source, flags] = [text.slice(1, end), text.slice(end + 1)];
  if (isOfBoundedLength(source)) return undefined;
  const found = await check(source, flags, {
    checker: "automaton",
    maxNFASize: 1_000_000,
    timeout: null,
  });
  if (found.status === "safe") return undefined;
  return found.status === "vulnerable" ? found.complexity.summary : found.status;
}

/** Without repetition, only a few characters are read from each position. */
function isOfBoundedLength(source: string): boolean {
  return !/[*+{]/u.test(source.replace(/\\./gsu, "").replace(/\[[^\]]*\]/gu, ""));
}

describe("regular expressions", () => {
  let all: readonly Expression[] = [];
  const faults = new Map<string, string | undefined>();
  beforeAll(async () => {
    const files = globSync(["src/**/*.{ts,mjs}", "commands/**/*.ts"], { cwd: root });
    all = files.flatMap(expressionsOf);
    const texts = [...new Set(all.map(({ text }) => text))];
    // One after the other: if several checks are requested at once, the library starts a process for each.
    for (const text of texts) faults.set(text, await faultOf(text));
  }, 300_000);

  it.each(["/^(a+)+$/u", "/(.*?)\\s*x$/u", "/\\/+$/"])("finds %s slow", async (text) => {
    expect(await faultOf(text)).toBeDefined();
  });

  const same = (a: Expression) => (b: Expression) => a.file === b.file && a.text === b.text;

  it("are proven to take linear time, or listed with what they read", () => {
    const faulty = all
      .filter((one) => !listedExpressions.some(same(one)))
      .map((one) => ({ ...one, fault: faults.get(one.text) }))
      .filter(({ fault }) => fault !== undefined);

    expect(all.length).toBeGreaterThan(400);
    expect(faulty).toEqual([]);
  });

  it("are listed only where they stand and where nothing proves them", () => {
    const stale = listedExpressions.filter((one) => !all.some(same(one)) || !faults.get(one.text));

    expect(stale).toEqual([]);
  });
});

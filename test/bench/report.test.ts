import { describe, expect, it } from "vitest";
import { createPeer } from "./peer.ts";
import { type BenchFile, report } from "./report.ts";
import type { BenchRow, BenchRows } from "./row.ts";

const good: BenchRow = { name: "good", value: 1, unit: "ms", goal: 2, ok: true };
const short: BenchRow = { name: "short", value: 3, unit: "ms", goal: 2, ok: false };
const file =
  (rows: BenchRows): BenchFile =>
  async () => ({ rows });
const rowsOf = (...rows: readonly BenchRow[]) =>
  file(Object.fromEntries(rows.map((row) => [row.name, async () => [row]])));

async function reported(files: Readonly<Record<string, BenchFile>>, ...args: readonly string[]) {
  const lines: string[] = [];
  const exitCode = await report(files, {
    args: ["--json", ...args],
    print: (line) => lines.push(line),
  });
  return { exitCode, rows: lines.map((line) => JSON.parse(line) as BenchRow) };
}

async function failing(): Promise<never> {
  throw new Error("no such program\nand more of it");
}

describe("report", () => {
  it("goes on after a bench that throws, and says so in its row and its exit code", async () => {
    const { exitCode, rows } = await reported({
      one: file({ broken: failing }),
      two: rowsOf(good),
    });

    expect(rows).toEqual([
      {
        name: "broken",
        value: null,
        unit: "",
        goal: null,
        ok: false,
        error: "no such program",
      },
      good,
    ]);
    expect(exitCode).toBe(1);
  });

  it("goes on after a file that does not load, under the file's name", async () => {
    const { exitCode, rows } = await reported({ one: failing, two: rowsOf(good) });

    expect(rows).toMatchObject([{ name: "one", ok: false, error: "no such program" }, good]);
    expect(exitCode).toBe(1);
  });

  it("prints a row that is short of its goal without failing", async () => {
    expect(await reported({ one: rowsOf(short) })).toEqual({ exitCode: 0, rows: [short] });
  });

  it("prints only what fits the prefix", async () => {
    const { rows } = await reported({ one: rowsOf(good, short) }, "--only", "sh");

    expect(rows).toEqual([short]);
  });

  it("prints a table for people", async () => {
    const lines: string[] = [];

    await report(
      { one: rowsOf(good, short), two: file({ broken: failing }) },
      { args: [], print: (line) => lines.push(line) },
    );

    expect(lines.map((line) => line.trim().split(/\s+/u).slice(0, 2).join(" "))).toEqual([
      "ok good",
      "SHORT short",
      "FAILED broken",
      "short of",
    ]);
  });
});

describe("a peer that can't run", () => {
  const comparison = { ...good, name: "good.peer", value: Number.NaN, ok: false };
  const beside = { ...good, peer: Number.NaN };

  it("is skipped with what it said, and keeps no row from its figure", async () => {
    const peer = createPeer();
    const refused = Object.assign(new Error("Command failed"), {
      stderr: "convert: width or height exceeds limit\n",
    });

    const measured = await peer.measure(() => Promise.reject(refused));

    const skipped = "convert: width or height exceeds limit";
    expect(measured).toBeUndefined();
    expect(peer.rows([good, beside, comparison])).toEqual([
      good,
      { ...good, peer: null, skipped },
      { ...comparison, value: null, peer: null, ok: true, skipped },
    ]);
  });

  it("is not asked again", async () => {
    const peer = createPeer();
    let asked = 0;
    const job = async () => {
      asked += 1;
      throw new Error("too large");
    };

    await peer.measure(job);
    await peer.measure(job);

    expect(asked).toBe(1);
  });

  it("is never asked where it is not installed", async () => {
    const peer = createPeer("ImageMagick is not installed");

    expect(await peer.measure(async () => 1)).toBeUndefined();
    expect(peer.rows([comparison])).toMatchObject([{ skipped: "ImageMagick is not installed" }]);
  });
});

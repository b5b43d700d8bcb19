import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Columns, tableEntries } from "../../../src/features/lists/table.ts";
import { joinEntries } from "../../support/join-entries.ts";

function formatTable<I>(items: readonly I[], columns: Columns<I>): Promise<string> {
  return joinEntries(tableEntries(items, columns));
}

/** The only cell of a table, without the quotes around it. */
async function cell(text: string): Promise<string> {
  const written = await formatTable([{ text }], { text: "text" });
  return written.slice('\ufefftext\n"'.length, -'"\n'.length).replaceAll('""', '"');
}

describe("table", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["great;=1+cmd|' /C calc'!A0", "great;'=1+cmd|' /C calc'!A0"],
    ["great,@SUM(A1)", "great,'@SUM(A1)"],
    ["two\n+1", "two\n'+1"],
    ["two\t-1", "two\t'-1"],
    ["＝1+1", "'＝1+1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["﹦1", "'﹦1"],
    ["  =1", "  '=1"],
    ["\u00a0\u3000=1", "\u00a0\u3000'=1"],
    ["\ufeff=1", "\ufeff'=1"],
    ["\u202e\u200b\u2060=1", "\u202e\u200b\u2060'=1"],
    ["\u0000=1", "\u0000'=1"],
    ['a;"=1"', `a;"'=1"`],
    ["\n=1", "'\n'=1"],
    ["\r=1", "'\r'=1"],
    ["\tplain", "'\tplain"],
    ["\nplain", "'\nplain"],
  ])("makes text of %j", async (hostile, shown) => {
    expect(await cell(hostile)).toBe(shown);
  });

  it.each(["1+1=2", "a@b.example", "well-known; and so on", "Tom & Jerry, 'quoted'", "😀 = fun"])(
    "leaves %j as it is",
    async (text) => {
      expect(await cell(text)).toBe(text);
    },
  );

  it("leaves numbers of our own numbers, quotes every text, and leaves a cell empty for what is absent", async () => {
    const part = undefined as { name: string } | undefined;
    const row = { title: "plain", amount: -5.25, isDone: true, part };
    const columns: Columns<typeof row> = { title: "title", amount: "amount", name: "part.name" };
    const written = await formatTable([row], { ...columns, isDone: ({ isDone }) => isDone });

    expect(written).toBe('\ufefftitle,amount,name,isDone\n"plain",-5.25,,1\n');
  });

  it("begins no cell with a sign, wherever a spreadsheet splits it", async () => {
    const pieces = [..."=+-@＝＋－＠;,\t\n\r\"' a1|", "\ufeff", "\u200b", "\u202e", "\u00a0"];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(""));

    await fc.assert(
      fc.asyncProperty(text, async (hostile) => {
        const written = await formatTable([{ hostile }], { text: "hostile" });
        const starts = written
          .split(/[;,\t\n\r]/u)
          .map((part) => part.replace(/^[\s"\p{Cf}]+/u, ""));

        expect(starts.filter((start) => /^[=+\-@＝＋－＠]/u.test(start))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

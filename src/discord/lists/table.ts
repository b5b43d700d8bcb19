import { setImmediate as nextTurn } from "node:timers/promises";

/** What a table says of an entry, column by column. */
export type Columns<I> = Readonly<Record<string, (item: I) => Cell>>;

type Cell = string | number | boolean | undefined | null;

/** A long table in one go would keep everybody else waiting; other work has its turn after so many rows. */
const rowsATurn = 200;

/** As comma-separated values, for spreadsheets: the only place that writes any. */
export async function table<I>(
  items: Iterable<I> | AsyncIterable<I>,
  columns: Columns<I>,
): Promise<string> {
  const { stringify } = await import("csv-stringify/sync");
  const names = Object.keys(columns);
  // Spreadsheets take a file for UTF-8 by its mark; the head is our own words, and needs no quotes.
  const written = [`\ufeff${stringify([names])}`];
  let rows: Cell[][] = [];
  const writeRows = () => {
    written.push(stringify(rows, { quoted_string: true }));
    rows = [];
  };
  for await (const item of items) {
    rows.push(names.map((name) => inert(columns[name]?.(item))));
    if (rows.length < rowsATurn) continue;
    writeRows();
    await nextTurn();
  }
  writeRows();
  return written.join("");
}

/** Where spreadsheets begin another cell: those that split at `;` don't see the quotes that hold a cell together. */
const separator = /[;,\t\n\v\f\r\u0085\u2028\u2029]/u;
/** What a spreadsheet may drop before it looks for a formula. */
const skipped = /["\s\p{Cc}\p{Cf}\p{DI}\u2800]/u;
const leadingBreak = /^[\t\n\r]/u;
const signs: ReadonlySet<string> = new Set(["=", "+", "-", "@"]);

/**
 * A spreadsheet would carry out text that starts like a formula (https://owasp.org/www-community/attacks/CSV_Injection):
 * an apostrophe before the sign makes it text. Numbers are our own and stay numbers.
 */
function inert(cell: Cell): Cell {
  if (typeof cell !== "string") return cell;
  let written = leadingBreak.test(cell) ? "'" : "";
  let isStart = true;
  for (const character of cell) {
    if (separator.test(character)) isStart = true;
    else if (!skipped.test(character)) {
      if (isStart && isSign(character)) written += "'";
      isStart = false;
    }
    written += character;
  }
  return written;
}

/** Full-width, small and raised ones too: spreadsheets of some languages take them for the plain sign. */
function isSign(character: string): boolean {
  return signs.has(character.normalize("NFKC"));
}

import type { FileEntry } from "../../discord/index.ts";

/** How a table gets its cells from an entry, by column: the path of a field, or what makes the cell. */
export type Columns<I> = Readonly<Record<string, CellPath<I> | ((item: I) => Cell)>>;

type Cell = string | number | boolean | undefined | null;

/** Paths of the fields that a type names: an index signature would allow any path. */
type CellPath<I> = ValueOf<{
  [K in keyof I as string extends K ? never : K]-?: K extends string
    ? I[K] extends Cell
      ? K
      : `${K}.${CellPath<NonNullable<I[K]>>}`
    : never;
}>;

type ValueOf<T> = T[keyof T];

/** Writes comma-separated values for spreadsheets, row by row. */
export async function* tableEntries<I>(
  items: Iterable<I> | AsyncIterable<I>,
  columns: Columns<I>,
): AsyncGenerator<FileEntry> {
  const { stringify } = await import("csv-stringify/sync");
  const names = Object.keys(columns);
  // Spreadsheets recognise UTF-8 by this mark. The first row has only our own words, and needs no quotes.
  yield { text: `\ufeff${stringify([names])}`, end: "", isHead: true };
  for await (const item of items) {
    const row = names.map((name) => inert(readCell(item, columns[name])));
    yield { text: stringify([row], { quoted_string: true }), end: "" };
  }
}

function readCell<I>(item: I, column: Columns<I>[string] | undefined): Cell {
  if (typeof column === "function") return column(item);
  let value: unknown = item;
  for (const key of column?.split(".") ?? []) value = (value as Record<string, unknown>)?.[key];
  // The type of a path says that it leads to a cell.
  return value as Cell;
}

/** Where spreadsheets may begin another cell: those that split at `;` ignore the quotes around a cell. */
const separator = /[;,\t\n\v\f\r\u0085\u2028\u2029]/u;
/** What a spreadsheet may drop before it looks for a formula. */
const skipped = /["\s\p{Cc}\p{Cf}\p{DI}\u2800]/u;
const leadingBreak = /^[\t\n\r]/u;
const signs: ReadonlySet<string> = new Set(["=", "+", "-", "@"]);

/**
 * A spreadsheet would run text that starts like a formula (https://owasp.org/www-community/attacks/CSV_Injection):
 * an apostrophe before the sign makes it text. Numbers are our own and stay numbers.
 */
function inert(cell: Cell): Cell {
  if (typeof cell !== "string") return cell;
  let written = leadingBreak.test(cell) ? "'" : "";
  let isStart = true;
  for (const character of cell) {
    if (separator.test(character)) isStart = true;
    else if (!skipped.test(character)) {
      // Full-width, small and raised signs too: spreadsheets in some languages treat them as the plain sign.
      if (isStart && signs.has(character.normalize("NFKC"))) written += "'";
      isStart = false;
    }
    written += character;
  }
  return written;
}

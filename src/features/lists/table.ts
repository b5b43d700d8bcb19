import type { FileEntry } from "../../discord/index.ts";

/** A table's columns: where the cell stands in an entry, such as `snippet.title`, or how it is made of the entry. */
export type Columns<I> = Readonly<Record<string, CellPath<I> | ((item: I) => Cell)>>;

/** The names of fields that are declared; a resource may have any others besides. */
type DeclaredName<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] } & string;

type CellPath<T> = {
  [K in keyof T & DeclaredName<T>]-?: NonNullable<T[K]> extends Cell
    ? K
    : NonNullable<T[K]> extends readonly unknown[]
      ? never
      : `${K}.${CellPath<NonNullable<T[K]>>}`;
}[keyof T & DeclaredName<T>];

type Cell = string | number | boolean | undefined | null;

/** Writes comma-separated values for spreadsheets, row by row. Nothing else does. */
export async function* tableEntries<I>(
  items: Iterable<I> | AsyncIterable<I>,
  columns: Columns<I>,
): AsyncGenerator<FileEntry> {
  const { stringify } = await import("csv-stringify/sync");
  // Spreadsheets recognise UTF-8 by this mark. The first row has only our own words, and needs no quotes.
  yield { text: `\ufeff${stringify([Object.keys(columns)])}`, end: "", isHead: true };
  for await (const item of items) {
    const row = Object.values(columns).map((column) =>
      inert(typeof column === "function" ? column(item) : cellAt(item, column)),
    );
    yield { text: stringify([row], { quoted_string: true }), end: "" };
  }
}

function cellAt(item: unknown, path: string): Cell {
  let value = item;
  for (const name of path.split(".")) value = (value as Readonly<Record<string, unknown>>)?.[name];
  return value as Cell; // `CellPath` leads to nothing else
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
      if (isStart && isSign(character)) written += "'";
      isStart = false;
    }
    written += character;
  }
  return written;
}

/** Full-width, small and raised signs too: spreadsheets in some languages treat them as the plain sign. */
function isSign(character: string): boolean {
  return signs.has(character.normalize("NFKC"));
}

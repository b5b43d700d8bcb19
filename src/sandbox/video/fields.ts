import { badParameter } from "./api-error.ts";

/** What `fields` keeps of an object; undefined keeps it whole. */
type FieldSelection = Map<string, FieldSelection | undefined>;

/**
 * Reads what is written like `items(id,snippet/title),nextPageToken`; undefined when everything is wanted.
 * @throws ApiError for what is no selection.
 */
export function parseFields(fields: string | null): FieldSelection | undefined {
  if (fields === null || fields === "") return undefined;
  const tokens = fields.match(/[\w*]+|[^\w*]/g) ?? [];
  const selection = parseSelection(tokens);
  if (selection !== undefined && tokens.length === 0) return selection;
  throw badParameter("fields", `Invalid field selection ${fields}`);
}

/** Takes what it understands off the tokens; undefined where that is not a selection. */
function parseSelection(tokens: string[]): FieldSelection | undefined {
  const selection: FieldSelection = new Map();
  do {
    const path = [tokens.shift() ?? ""];
    while (takeSign(tokens, "/")) path.push(tokens.shift() ?? "");
    if (!path.every((name) => /^[\w*]+$/.test(name))) return undefined;
    const hasInner = takeSign(tokens, "(");
    const inner = hasInner ? parseSelection(tokens) : undefined;
    if (hasInner && (inner === undefined || !takeSign(tokens, ")"))) return undefined;
    const [name = "", ...deeper] = path;
    const wrapped = deeper.reduceRight<FieldSelection | undefined>(
      (within, outer) => new Map([[outer, within]]),
      inner,
    );
    add(selection, name, wrapped);
  } while (takeSign(tokens, ","));
  return selection;
}

function takeSign(tokens: string[], sign: string): boolean {
  if (tokens[0] !== sign) return false;
  tokens.shift();
  return true;
}

/** A name that is there already keeps what it had: `items/id,items/snippet` names two things. */
function add(selection: FieldSelection, name: string, inner: FieldSelection | undefined): void {
  const known = selection.get(name);
  if (known === undefined || inner === undefined) {
    selection.set(name, selection.has(name) ? undefined : inner);
    return;
  }
  for (const [innerName, more] of inner) add(known, innerName, more);
}

/** Trims an answer to what is selected of it. */
export function selectFields(value: unknown, selection: FieldSelection | undefined): unknown {
  if (selection === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => selectFields(entry, selection));
  const entries = Object.entries(value).filter(
    ([name]) => selection.has(name) || selection.has("*"),
  );
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      return [name, selectFields(inner, selection.get(name) ?? selection.get("*"))];
    }),
  );
}

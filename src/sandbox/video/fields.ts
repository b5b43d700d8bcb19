import { type ApiRefusal, badParameter } from "./refusal.ts";

/** What `fields` keeps of an object; undefined keeps it whole. */
type FieldSelection = Map<string, FieldSelection | undefined>;

/** Trims an answer to what `fields` names, like `items(id,snippet/title),nextPageToken`. */
export function selectFields(body: object, fields: string | null): object {
  if (fields === null || fields === "") return body;
  return trim(body, readFields(fields)) as object;
}

/** Refuses what is no selection, before anything is done. */
export function checkFields(fields: string | null): void {
  if (fields !== null && fields !== "") readFields(fields);
}

function readFields(fields: string): FieldSelection {
  const rest = { whole: fields, text: fields };
  const selection = readSelection(rest);
  if (rest.text !== "") throw invalid(rest);
  return selection;
}

/** What is still to be read of a selection. */
interface UnreadFields {
  readonly whole: string;
  text: string;
}

function readSelection(rest: UnreadFields): FieldSelection {
  const selection: FieldSelection = new Map();
  do add(selection, readName(rest), readInner(rest));
  while (take(rest, ","));
  return selection;
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

function readInner(rest: UnreadFields): FieldSelection | undefined {
  if (take(rest, "/")) return new Map([[readName(rest), readInner(rest)]]);
  if (!take(rest, "(")) return undefined;
  const selection = readSelection(rest);
  if (!take(rest, ")")) throw invalid(rest);
  return selection;
}

function readName(rest: UnreadFields): string {
  const name = /^[\w*]+/.exec(rest.text)?.[0];
  if (name === undefined) throw invalid(rest);
  rest.text = rest.text.slice(name.length);
  return name;
}

function take(rest: UnreadFields, sign: string): boolean {
  if (!rest.text.startsWith(sign)) return false;
  rest.text = rest.text.slice(sign.length);
  return true;
}

function invalid({ whole }: UnreadFields): ApiRefusal {
  return badParameter("fields", `Invalid field selection ${whole}`);
}

function trim(value: unknown, selection: FieldSelection | undefined): unknown {
  if (selection === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => trim(entry, selection));
  const entries = Object.entries(value).filter(
    ([name]) => selection.has(name) || selection.has("*"),
  );
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, trim(inner, selection.get(name) ?? selection.get("*"))]),
  );
}

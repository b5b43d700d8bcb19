import { badParameter } from "./refusal.ts";

/** What `fields` keeps of an object; undefined keeps it whole. */
type Selection = Map<string, Selection | undefined>;

/** Trims an answer to what `fields` names, like `items(id,snippet/title),nextPageToken`. */
export function selectFields(body: object, fields: string | null): object {
  if (fields === null || fields === "") return body;
  const rest = { text: fields };
  const selection = readSelection(rest);
  if (rest.text !== "") throw badParameter("fields", `Invalid field selection ${fields}`);
  return trim(body, selection) as object;
}

function readSelection(rest: { text: string }): Selection {
  const selection: Selection = new Map();
  for (;;) {
    const name = /^[\w*]+/.exec(rest.text)?.[0];
    if (name === undefined) return selection;
    rest.text = rest.text.slice(name.length);
    selection.set(name, readInner(rest));
    if (!rest.text.startsWith(",")) return selection;
    rest.text = rest.text.slice(1);
  }
}

function readInner(rest: { text: string }): Selection | undefined {
  const open = rest.text[0];
  if (open !== "/" && open !== "(") return undefined;
  rest.text = rest.text.slice(1);
  if (open === "/") {
    const name = /^[\w*]+/.exec(rest.text)?.[0] ?? "";
    rest.text = rest.text.slice(name.length);
    return new Map([[name, readInner(rest)]]);
  }
  const selection = readSelection(rest);
  if (rest.text.startsWith(")")) rest.text = rest.text.slice(1);
  return selection;
}

function trim(value: unknown, selection: Selection | undefined): unknown {
  if (selection === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => trim(entry, selection));
  const kept = Object.entries(value).filter(([name]) => selection.has(name) || selection.has("*"));
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, trim(inner, selection.get(name) ?? selection.get("*"))]),
  );
}

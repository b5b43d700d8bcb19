import { Refusal } from "./refusals.ts";

/** What a request body holds, whichever of the three content types it came in. Empty fields count as absent. */
export interface Form {
  readonly texts: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Reads multipart, urlencoded and JSON bodies; file parts exist in multipart only. */
export async function readForm(request: Request): Promise<Form> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") return { texts: await readJson(request), files: new Map() };
  if (type === "multipart/form-data" || type === "application/x-www-form-urlencoded") {
    return readFormData(request);
  }
  return { texts: new Map(), files: new Map() };
}

async function readFormData(request: Request): Promise<Form> {
  const texts = new Map<string, string>();
  const files = new Map<string, Uint8Array>();
  for (const [name, value] of await request.formData().catch(malformed)) {
    if (typeof value === "string") {
      if (value !== "") texts.set(name, value);
    } else if (value.size > 0 || value.name !== "") files.set(name, await value.bytes());
  }
  return { texts, files };
}

async function readJson(request: Request): Promise<Map<string, string>> {
  const body: unknown = await request.json().catch(malformed);
  if (typeof body !== "object" || body === null) return malformed();
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    const text = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
    if (text !== "") texts.set(name, text);
  }
  return texts;
}

function malformed(): never {
  throw new Refusal(400, [{ title: "The request body can't be parsed" }]);
}

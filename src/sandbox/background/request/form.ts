import { BackgroundError } from "../errors.ts";

/** A request's body as it came. */
export interface RequestBytes {
  readonly bytes: Uint8Array;
  /** Its Content-Type. */
  readonly type: string;
}

/** What a body holds, whichever of the three content types it came in. Empty fields count as absent. */
export interface PictureForm {
  readonly texts: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What the files are called. */
  readonly names: ReadonlyMap<string, string>;
}

/** Reads multipart, urlencoded and JSON bodies; file parts exist in multipart only. */
export async function readPictureForm({ bytes, type }: RequestBytes): Promise<PictureForm> {
  const kind = type.split(";")[0]?.trim().toLowerCase() ?? "";
  if (kind === "application/json") return readJson(bytes);
  if (kind === "multipart/form-data" || kind === "application/x-www-form-urlencoded") {
    return readFormData({ bytes, type });
  }
  return { texts: new Map(), files: new Map(), names: new Map() };
}

async function readFormData({ bytes, type }: RequestBytes): Promise<PictureForm> {
  const texts = new Map<string, string>();
  const files = new Map<string, Uint8Array>();
  const names = new Map<string, string>();
  const body = new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } });
  for (const [name, value] of await body.formData().catch(malformed)) {
    if (typeof value === "string") {
      if (value !== "") texts.set(name, value);
    } else if (value.size > 0 || value.name !== "") {
      files.set(name, await value.bytes());
      names.set(name, value.name);
    }
  }
  return { texts, files, names };
}

function readJson(bytes: Uint8Array): PictureForm {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return malformed();
  }
  if (typeof body !== "object" || body === null) return malformed();
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    // A setting for each type of foreground may be an object here instead of a name with brackets.
    const inner = typeof value === "object" && value !== null ? Object.entries(value) : undefined;
    const fields = inner?.map(([type, one]) => [`${name}[${type}]`, one]) ?? [[name, value]];
    for (const [field, one] of fields) {
      const text = ["string", "number", "boolean"].includes(typeof one) ? String(one) : "";
      if (text !== "") texts.set(field, text);
    }
  }
  return { texts, files: new Map(), names: new Map() };
}

function malformed(): never {
  throw new BackgroundError(400, [{ title: "The request body can't be parsed" }]);
}

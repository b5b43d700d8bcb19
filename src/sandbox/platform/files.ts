import { createHmac, timingSafeEqual } from "node:crypto";
import type { APIAttachment } from "discord-api-types/v10";
import { type Dimensions, readDimensions } from "../dimensions.ts";

export interface NewFile {
  readonly name: string;
  readonly type: string;
  readonly data: Uint8Array;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  /** Name without its ending when Discord had to change it. */
  readonly title: string | undefined;
  readonly type: string;
  readonly data: Uint8Array;
  readonly size: Dimensions | undefined;
  /** Path on the CDN. */
  readonly path: string;
  readonly isEphemeral: boolean;
}

export interface FileStore {
  add(upload: NewFile, folder: string, isEphemeral: boolean): StoredFile;
  byId(id: string): StoredFile | undefined;
  /** The file behind a CDN path, if the signature is ours and has not run out. */
  open(path: string, query: URLSearchParams): StoredFile | undefined;
  attachment(file: StoredFile, description?: string): APIAttachment;
  /** Replaces every mark in a value by a fresh signed address. */
  present<T>(value: T): T;
}

// Links live a day, as those of Discord commonly do.
const linkLifeSeconds = 86_400;

const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  srt: "application/x-subrip",
  vtt: "text/vtt; charset=utf-8",
  pdf: "application/pdf",
  zip: "application/zip",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
};

/** Names on the CDN have letters, digits, dots, dashes and underscores only. */
export function cdnName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\s+/g, "_")
    .replace(/[^A-Za-z0-9._-]/g, "")
    .replace(/^\.+/, "");
  return plain === "" ? "unknown" : plain.slice(-255);
}

// Stored messages contain a mark in place of an address: addresses are signed again each time they are shown.
const markStart = "\u0000file:";
const mark = /^\0file:(url|proxy):(\d+)$/;

export function fileMark(kind: "url" | "proxy", id: string): string {
  return `${markStart}${kind}:${id}`;
}

interface FileStoreOptions {
  readonly origin: () => string;
  readonly nextId: () => string;
  readonly now: () => number;
  readonly secret: Uint8Array;
}

export function createFileStore(options: FileStoreOptions): FileStore {
  const byId = new Map<string, StoredFile>();
  const byPath = new Map<string, StoredFile>();
  return {
    add(upload, folder, isEphemeral) {
      const file = toStored(options.nextId(), upload, { folder, isEphemeral });
      byId.set(file.id, file);
      byPath.set(file.path, file);
      return file;
    },
    byId: (id) => byId.get(id),
    open(path, query) {
      const [ex, is, hm] = [query.get("ex"), query.get("is"), query.get("hm")];
      if (ex === null || is === null || hm === null) return undefined;
      const expected = Buffer.from(signature(options.secret, path, { ex, is }));
      const actual = Buffer.from(hm);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
      return Number.parseInt(ex, 16) * 1_000 > options.now() ? byPath.get(path) : undefined;
    },
    attachment: toAttachment,
    // The shape stays: only strings are replaced by strings.
    present: <T>(value: T) => presented(options, byId, value) as T,
  };
}

function toStored(
  id: string,
  upload: NewFile,
  { folder, isEphemeral }: { readonly folder: string; readonly isEphemeral: boolean },
): StoredFile {
  const name = cdnName(upload.name);
  const size = readDimensions(upload.data);
  const root = isEphemeral ? "ephemeral-attachments" : "attachments";
  const dot = upload.name.lastIndexOf(".");
  const title = dot > 0 ? upload.name.slice(0, dot) : upload.name;
  const isVague = upload.type === "" || upload.type.startsWith("application/octet-stream");
  const byEnding = typesByEnding[upload.name.slice(dot + 1).toLowerCase()];
  const found = size?.type ?? byEnding ?? "application/octet-stream";
  return {
    id,
    name,
    title: name === upload.name ? undefined : title,
    type: isVague ? found : upload.type,
    data: upload.data,
    size,
    path: `/${root}/${folder}/${id}/${encodeURIComponent(name)}`,
    isEphemeral,
  };
}

function toAttachment(file: StoredFile, description?: string): APIAttachment {
  return {
    id: file.id,
    filename: file.name,
    size: file.data.byteLength,
    url: fileMark("url", file.id),
    proxy_url: fileMark("proxy", file.id),
    ...(file.size === undefined ? {} : { width: file.size.width, height: file.size.height }),
    content_type: file.type,
    ...(description === undefined ? {} : { description }),
    ...(file.title === undefined ? {} : { title: file.title }),
    ...(file.isEphemeral ? { ephemeral: true } : {}),
  };
}

function signature(
  secret: Uint8Array,
  path: string,
  { ex, is }: { ex: string; is: string },
): string {
  return createHmac("sha256", secret).update(`${path}?ex=${ex}&is=${is}`).digest("hex");
}

function presented(
  options: FileStoreOptions,
  byId: ReadonlyMap<string, StoredFile>,
  value: unknown,
): unknown {
  if (typeof value === "string") {
    const found = value.startsWith(markStart) ? mark.exec(value) : null;
    const file = byId.get(found?.[2] ?? "");
    if (file === undefined) return value;
    const prefix = found?.[1] === "proxy" ? "/media" : "";
    const issued = Math.floor(options.now() / 1_000);
    const is = issued.toString(16);
    const ex = (issued + linkLifeSeconds).toString(16);
    const hm = signature(options.secret, file.path, { ex, is });
    return `${options.origin()}${prefix}${file.path}?ex=${ex}&is=${is}&hm=${hm}&`;
  }
  if (Array.isArray(value)) return value.map((each) => presented(options, byId, each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, presented(options, byId, each)]),
  );
}

import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../errors.ts";
import type { MasterKey } from "./seal.ts";

const othersMayRead = 0o077;
const line = /^([a-z0-9-]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads the master keys kept in a file, one `id:base64` a line as in SECRET_KEYS; on first use makes it with one
 * random key and mode 0600. `made` says whether this call made it.
 * @throws ConfigError `key_file` when others may read it or its content is not such a list.
 */
export function readOrMakeKeyFile(path: string): {
  readonly keys: readonly MasterKey[];
  readonly made: boolean;
} {
  try {
    const made = makeOnce(path);
    return { keys: readKeys(path), made };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw fault(path, "it can't be used", `Check that ${path} can be read and written.`, error);
  }
}

/** Written whole under another name and then linked, so that no reader meets half a key and the first maker wins. */
function makeOnce(path: string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) return false;
  // A key that seals rows must be on disk before they are.
  writeFileSync(draft, `main:${randomBytes(32).toString("base64")}\n`, {
    ...{ flag: "wx", mode: 0o600, flush: true },
  });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (existsSync(path)) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKeys(path: string): readonly MasterKey[] {
  const file = openSync(path, "r");
  try {
    refuseShared(path, fstatSync(file).mode);
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    if (lines.length === 0) throw unreadable(path);
    return lines.map((text) => parse(path, text.trim()));
  } finally {
    closeSync(file);
  }
}

function refuseShared(path: string, mode: number): void {
  // Windows reports every file as readable by all; access is held by its own lists there.
  if (process.platform === "win32" || (mode & othersMayRead) === 0) return;
  throw fault(path, "other users may read it", `Run: chmod 600 ${path}`);
}

function parse(path: string, text: string): MasterKey {
  const [, id, encoded] = line.exec(text) ?? [];
  if (id === undefined || encoded === undefined) throw unreadable(path);
  return { id, key: Buffer.from(encoded, "base64") };
}

function unreadable(path: string): ConfigError {
  const hint = `Bring ${path} back from a backup. Without it, what it sealed is lost: then remove it and the store's file.`;
  return fault(path, "it does not hold lines of id:base64-of-32-bytes", hint);
}

function fault(path: string, what: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError(`the key file ${path} is refused: ${what}. ${hint}`, {
    code: "key_file",
    hint,
    cause,
  });
}

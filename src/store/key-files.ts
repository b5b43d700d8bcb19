import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../errors.ts";
import { formatKeys } from "./rotation/key-list.ts";
import type { MasterKey } from "./seal.ts";

/** SECRET_KEYS on a line of its own: the text before the value, a quote, the value, and the text after it. */
const assignment =
  /^([ \t]*(?:export[ \t]+)?SECRET_KEYS[ \t]*=[ \t]*)(["'`]?)([\w+/=:,\- ]+?)\2([ \t]*(?:#.*)?)$/gm;

/**
 * Whether a `.env` file sets SECRET_KEYS exactly once and to this value, so that `writeEnvFile` can change it. Anything
 * else, such as a value over several lines, is left to whoever wrote it.
 */
export function isInEnvFile(path: string, value: string): boolean {
  const found = [...readFileSync(path, "utf8").matchAll(assignment)];
  return found.length === 1 && found[0]?.[3]?.trim() === value.trim();
}

/** Changes SECRET_KEYS in a `.env` file and nothing else. @throws ConfigError `key_file`. */
export function writeEnvFile(path: string, keys: readonly MasterKey[]): void {
  const text = readFileSync(path, "utf8");
  replaceFile(
    path,
    text.replace(assignment, (_, before, quote, __, after) => {
      return `${before}${quote}${formatKeys(keys)}${quote}${after}`;
    }),
  );
}

/** Replaces a key file, which has one key on each line. @throws ConfigError `key_file`. */
export function writeKeyFile(path: string, keys: readonly MasterKey[]): void {
  replaceFile(path, `${keys.map((key) => formatKeys([key])).join("\n")}\n`);
}

/**
 * Writes the new text to a file beside it and then renames that, with the same mode and owner. So a reader gets either the old
 * text or the new one, even after a crash.
 */
function replaceFile(path: string, text: string): void {
  let draft: string | undefined;
  try {
    const target = realpathSync(path);
    draft = `${target}.${process.pid}.new`;
    writeDurably(draft, text, statSync(target));
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (cause) {
    if (draft !== undefined) rmSync(draft, { force: true });
    throw new ConfigError(`${path} could not be written`, {
      code: "key_file",
      hint: `Nothing was changed. Check that this user may write ${path} and its folder.`,
      cause,
    });
  }
}

function writeDurably(
  path: string,
  text: string,
  { mode, uid, gid }: Pick<Stats, "mode" | "uid" | "gid">,
): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    const made = fstatSync(file);
    // The bot may run as another user than the one who changes its keys.
    if (made.uid !== uid || made.gid !== gid) fchownSync(file, uid, gid);
    // Sets the wanted mode, whatever the process's umask is.
    fchmodSync(file, mode & 0o777);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const othersMayRead = 0o077;
const keyLine = /^([a-z0-9-]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads the master keys in a file, one `id:base64` per line as in SECRET_KEYS. On first use it creates the file with one random
 * key and mode 0600. `made` says whether this call created it.
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
    throw keyFileError(
      path,
      "it can't be used",
      `Check that ${path} can be read and written.`,
      error,
    );
  }
}

/** Writes the file under another name and then links it, so that nobody reads half a key, and the first process wins. */
function makeOnce(path: string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) return false;
  // A key must be on disk before the records that it seals.
  writeFileSync(draft, `main:${randomBytes(32).toString("base64")}\n`, {
    flag: "wx",
    mode: 0o600,
    flush: true,
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
    // Windows reports every file as readable by all; it has access lists of its own.
    if (process.platform !== "win32" && (fstatSync(file).mode & othersMayRead) !== 0) {
      throw keyFileError(path, "other users may read it", `Run: chmod 600 ${path}`);
    }
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const keys = lines.flatMap((text) => {
      const [, id, encoded] = keyLine.exec(text.trim()) ?? [];
      return id && encoded ? [{ id, key: Buffer.from(encoded, "base64") }] : [];
    });
    if (keys.length > 0 && keys.length === lines.length) return keys;
    const hint = `Bring ${path} back from a backup. Without it, what it encrypted is lost: then remove it and the store's file.`;
    throw keyFileError(path, "it does not hold lines of id:base64-of-32-bytes", hint);
  } finally {
    closeSync(file);
  }
}

function keyFileError(path: string, what: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError(`the key file ${path} is refused: ${what}. ${hint}`, {
    code: "key_file",
    hint,
    cause,
  });
}

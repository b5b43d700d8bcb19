import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../../errors.ts";
import type { MasterKey } from "../seal.ts";
import { writeKeys } from "./key-list.ts";

/** SECRET_KEYS on a line of its own: what stands before its value, a quote, the value, and what follows. */
const assignment =
  /^([ \t]*(?:export[ \t]+)?SECRET_KEYS[ \t]*=[ \t]*)(["'`]?)([\w+/=:,\- ]+?)\2([ \t]*(?:#.*)?)$/gm;

/**
 * Whether a file of variables says SECRET_KEYS exactly once, so that `writeEnvFile` can change it. Anything else, such as
 * a value over several lines, is left to whoever wrote it.
 */
export function isInEnvFile(path: string, value: string): boolean {
  const found = [...readFileSync(path, "utf8").matchAll(assignment)];
  return found.length === 1 && found[0]?.[3]?.trim() === value.trim();
}

/** Changes SECRET_KEYS in a file of variables and nothing else. @throws ConfigError `key_file`. */
export function writeEnvFile(path: string, keys: readonly MasterKey[]): void {
  const text = readFileSync(path, "utf8");
  replaceFile(
    path,
    text.replace(assignment, (_, before, quote, __, after) => {
      return `${before}${quote}${writeKeys(keys)}${quote}${after}`;
    }),
  );
}

/** Replaces a file of keys, one a line. @throws ConfigError `key_file`. */
export function writeKeyFile(path: string, keys: readonly MasterKey[]): void {
  replaceFile(path, `${keys.map((key) => writeKeys([key])).join("\n")}\n`);
}

/**
 * Written whole beside it and then renamed, with its mode and its owner, so that whoever reads it meets the old text or
 * the new one, also after a crash.
 */
function replaceFile(path: string, text: string): void {
  let draft: string | undefined;
  try {
    const target = realpathSync(path);
    const { mode, uid, gid } = statSync(target);
    draft = `${target}.${process.pid}.new`;
    writeDurably(draft, text, { mode: mode & 0o777, uid, gid });
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

interface Owned {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

function writeDurably(path: string, text: string, { mode, uid, gid }: Owned): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    const made = fstatSync(file);
    // The bot may run as another user than the one who changes its keys.
    if (made.uid !== uid || made.gid !== gid) fchownSync(file, uid, gid);
    // As wanted, whatever the process masks.
    fchmodSync(file, mode);
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

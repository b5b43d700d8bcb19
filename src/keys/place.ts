import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readConfig } from "../config.ts";
import { ConfigError } from "../errors.ts";
import {
  isInEnvFile,
  type MasterKey,
  readOrMakeKeyFile,
  writeEnvFile,
  writeKeyFile,
} from "../store/index.ts";

/** Where the keys stand. */
export interface Place {
  readonly name: string;
  readonly storeUrl: string;
  readonly keys: readonly MasterKey[];
  /** Absent where only whoever runs the bot can change them. */
  readonly write?: (keys: readonly MasterKey[]) => void;
}

interface Where {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** The environment wins over `.env`, as it does for the bot; the sandbox has a file of its own. */
export function findPlace({ env, folder }: Where): Place {
  const path = join(folder, ".env");
  const all = { ...(existsSync(path) && parseEnv(readFileSync(path, "utf8"))), ...env };
  const config = readConfig(all);
  // The sandbox takes neither the variable nor another store.
  if (config.mode === "sandbox" && !all.STORE_URL?.trim()) return sandboxPlace(folder);
  const { url: storeUrl, keys } = config.store;
  const value = all.SECRET_KEYS ?? "";
  if (env.SECRET_KEYS !== undefined || !isInEnvFile(path, value)) {
    return { name: "the environment", storeUrl, keys };
  }
  return { name: ".env", storeUrl, keys, write: (changed) => writeEnvFile(path, changed) };
}

function sandboxPlace(folder: string): Place {
  const path = join(folder, ".greenroom/master.key");
  if (!existsSync(path)) {
    throw new ConfigError("there are no master keys here", {
      code: "no_keys",
      hint: "Set DISCORD_TOKEN and SECRET_KEYS as .env.example says, or start the sandbox once, and run this in the same folder.",
    });
  }
  return {
    name: path,
    storeUrl: `sqlite:${join(folder, ".greenroom/sandbox.sqlite")}`,
    keys: readOrMakeKeyFile(path).keys,
    write: (changed) => writeKeyFile(path, changed),
  };
}

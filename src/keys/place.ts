import { existsSync } from "node:fs";
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

/** The environment wins over `.env`, as it does for the bot; the sandbox has a file of its own. */
export function findPlace(): Place {
  const isGiven = Boolean(process.env.SECRET_KEYS?.trim());
  if (existsSync(".env")) process.loadEnvFile();
  const config = readConfig(process.env);
  const value = process.env.SECRET_KEYS?.trim() ?? "";
  const { url: storeUrl, keys } = config.store;
  // The sandbox takes neither the variable nor another store.
  if (config.mode === "sandbox" && !process.env.STORE_URL?.trim()) return sandboxPlace();
  if (isGiven || !isInEnvFile(".env", value)) return { name: "the environment", storeUrl, keys };
  return { name: ".env", storeUrl, keys, write: (changed) => writeEnvFile(".env", changed) };
}

function sandboxPlace(): Place {
  const path = ".greenroom/master.key";
  if (!existsSync(path)) {
    throw new ConfigError("there are no master keys here", {
      code: "no_keys",
      hint: "Set DISCORD_TOKEN and SECRET_KEYS as .env.example says, or start the sandbox once, and run this in the same folder.",
    });
  }
  return {
    name: path,
    storeUrl: "sqlite:.greenroom/sandbox.sqlite",
    keys: readOrMakeKeyFile(path).keys,
    write: (changed) => writeKeyFile(path, changed),
  };
}

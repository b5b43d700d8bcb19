import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";
import {
  isInEnvFile,
  type MasterKey,
  readOrMakeKeyFile,
  writeEnvFile,
  writeKeyFile,
} from "../store/index.ts";
import { type ProgramContext, readProgramSettings } from "./program.ts";

/** Where the master keys are written. */
export interface KeyPlace {
  readonly name: string;
  readonly storeUrl: string;
  readonly keys: readonly MasterKey[];
  /** Absent if only the operator can change them. */
  readonly write?: (keys: readonly MasterKey[]) => void;
}

/** Finds the master keys where the bot would read them. */
export function findKeyPlace(context: Pick<ProgramContext, "env" | "folder">): KeyPlace {
  const { envFile, all, config, isSandbox, storeUrl } = readProgramSettings(context);
  if (isSandbox) return sandboxPlace(context.folder, storeUrl);
  const { keys } = config.store;
  if (context.env.SECRET_KEYS !== undefined || !isInEnvFile(envFile, all.SECRET_KEYS ?? "")) {
    return { name: "the environment", storeUrl, keys };
  }
  return { name: ".env", storeUrl, keys, write: (changed) => writeEnvFile(envFile, changed) };
}

function sandboxPlace(folder: string, storeUrl: string): KeyPlace {
  const path = join(folder, ".greenroom/master.key");
  if (!existsSync(path)) {
    throw new ConfigError("no master keys were found", {
      code: "no_keys",
      hint: "Set DISCORD_TOKEN and SECRET_KEYS as .env.example says, or start the sandbox once, and run this in the same folder.",
    });
  }
  return {
    name: path,
    storeUrl,
    keys: readOrMakeKeyFile(path).keys,
    write: (changed) => writeKeyFile(path, changed),
  };
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ProgramContext, readSettings } from "../cli.ts";
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

/** As the bot would read them. */
export function findPlace(context: Pick<ProgramContext, "env" | "folder">): Place {
  const { envFile, all, config, isSandbox, storeUrl } = readSettings(context);
  if (isSandbox) return sandboxPlace(context.folder, storeUrl);
  const { keys } = config.store;
  if (context.env.SECRET_KEYS !== undefined || !isInEnvFile(envFile, all.SECRET_KEYS ?? "")) {
    return { name: "the environment", storeUrl, keys };
  }
  return { name: ".env", storeUrl, keys, write: (changed) => writeEnvFile(envFile, changed) };
}

function sandboxPlace(folder: string, storeUrl: string): Place {
  const path = join(folder, ".greenroom/master.key");
  if (!existsSync(path)) {
    throw new ConfigError("there are no master keys here", {
      code: "no_keys",
      hint: "Set DISCORD_TOKEN and SECRET_KEYS as .env.example says, or start the sandbox once, and run this in the same folder.",
    });
  }
  return {
    ...{ name: path, storeUrl },
    keys: readOrMakeKeyFile(path).keys,
    write: (changed) => writeKeyFile(path, changed),
  };
}

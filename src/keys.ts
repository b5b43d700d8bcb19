import { createTerminalContext } from "./cli.ts";
import { runKeys } from "./keys/run-keys.ts";

process.exitCode = await runKeys(process.argv.slice(2), createTerminalContext(process.env));

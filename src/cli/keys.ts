import { createTerminalContext } from "./program.ts";
import { runKeys } from "./run-keys.ts";

process.exitCode = await runKeys(process.argv.slice(2), createTerminalContext(process.env));

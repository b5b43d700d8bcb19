import { terminalOf } from "./cli.ts";
import { runKeys } from "./keys/run.ts";

process.exitCode = await runKeys(process.argv.slice(2), terminalOf(process.env));

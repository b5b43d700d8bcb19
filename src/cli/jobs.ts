import { createTerminalContext } from "./program.ts";
import { runParked } from "./run-jobs.ts";

process.exitCode = await runParked(process.argv.slice(2), createTerminalContext(process.env));

import { createTerminalContext } from "./program.ts";
import { runJobs } from "./run-jobs.ts";

process.exitCode = await runJobs(process.argv.slice(2), createTerminalContext(process.env));

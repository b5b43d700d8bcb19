import { createTerminalContext } from "./cli.ts";
import { runParked } from "./parked/run-parked.ts";

process.exitCode = await runParked(process.argv.slice(2), createTerminalContext(process.env));

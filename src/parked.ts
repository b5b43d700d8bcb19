import { runParked } from "./parked/run-parked.ts";

process.exitCode = await runParked(process.argv.slice(2), {
  env: process.env,
  folder: "",
  say: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
});

import { runKeys } from "./keys/run.ts";

process.exitCode = await runKeys(process.argv.slice(2), {
  env: process.env,
  folder: "",
  say: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
});

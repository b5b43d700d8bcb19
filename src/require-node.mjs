// Loaded before a program, in any Node: an older one would only show a stack trace of what it can't read.
// It is JavaScript on purpose, with nothing that an older Node lacks: TypeScript is among what is missing there.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [needed] = engines.node.match(/\d+/);
const { node } = process.versions;
const isEnough = Number.parseInt(node, 10) >= Number(needed);

if (!isEnough) {
  process.stderr.write(`Node ${needed} is needed; this is ${node}.\n`);
  process.stderr.write(
    `Run \`npm ci\`, which installs it for the npm scripts, or get it from https://nodejs.org.\n`,
  );
  // As for a configuration that must be changed first.
  process.exit(2);
}

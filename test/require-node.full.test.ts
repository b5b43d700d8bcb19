import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { childEnvironment } from "./support/child-environment.ts";

const root = join(import.meta.dirname, "..");

/** Runs a program as an older Node would, as far as a changed version number imitates that. */
function start(...flags: readonly string[]) {
  const older = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, ...flags];
  return new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: childEnvironment }, (error, _, err) =>
      resolve({ code: error?.code, err }),
    );
  });
}

/** The npm scripts that start Node, as arguments. */
const scripts = Object.entries(packageJson.scripts)
  .filter(([, line]) => line.startsWith("node "))
  .map(([name, line]) => [name, line.split(" ").slice(1)] as const);

it.each(scripts)("npm run %s says which Node is needed, and nothing else", async (_, flags) => {
  const { code, err } = await start(...flags);

  expect(err).toMatch(/^Node 24 is needed; this is 20\.20\.2\.\n.*https:\/\/nodejs\.org\.\n$/u);
  expect(code).toBe(2);
});

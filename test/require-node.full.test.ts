import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { childEnvironment } from "./support/child-environment.ts";

const root = join(import.meta.dirname, "..");

/** A program as an older Node starts it, as far as it can be told one. */
function start(...flags: readonly string[]) {
  const older = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, ...flags];
  return new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: childEnvironment }, (error, _, err) =>
      resolve({ code: error?.code, err }),
    );
  });
}

/** The scripts that start Node, without what comes after its own flags. */
const scripts = Object.entries(packageJson.scripts)
  .filter(([, line]) => line.startsWith("node "))
  .map(([name, line]) => [name, line.split(" ").slice(1)] as const);

it.each(scripts)("npm run %s says which Node is needed, and nothing else", async (_, flags) => {
  const { code, err } = await start(...flags);

  expect(err).toMatch(/^Node 24 is needed; this is 20\.20\.2\.\n.*https:\/\/nodejs\.org\.\n$/u);
  expect(code).toBe(2);
});

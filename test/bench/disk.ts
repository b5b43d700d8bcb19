import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BenchRow, BenchRows } from "./row.ts";

/** The README states these under "Requirements". */
export const rows: BenchRows = {
  "disk.bot": async () => [packagesRow("disk.bot", { goal: 120, isBotAlone: true })],
  "disk.all": async () => [packagesRow("disk.all", { goal: 900, isBotAlone: false })],
};

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const root = join(import.meta.dirname, "../..");
const blockBytes = 512;

/** The size of the packages on this machine's disk; for the bot alone, of those that `npm ci --omit=dev` installs. */
function packagesRow(
  name: string,
  { goal, isBotAlone }: { readonly goal: number; readonly isBotAlone: boolean },
): BenchRow {
  const value = (isBotAlone ? botPackages() : ["node_modules"]).reduce(
    (sum, folder) => sum + diskBytes(join(root, folder)),
    0,
  );
  return { name, value: value / 1e6, unit: "MB", goal, ok: value / 1e6 <= goal };
}

/** A package inside another package's folder is counted with the outer one. */
function botPackages(): readonly string[] {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
    .map(([folder]) => folder)
    .filter((folder) => folder.split("node_modules/").length === 2);
}

/** Zero for packages of other systems, which are not installed. */
function diskBytes(folder: string): number {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)))
      // Node's program has two names on disk: one file, two links.
      .filter(
        ({ nlink, ino }, at, all) => nlink === 1 || all.findIndex((one) => one.ino === ino) === at,
      )
      .reduce((sum, { blocks }) => sum + blocks * blockBytes, 0)
  );
}

import "./src/require-node.mjs";
import { existsSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { readTestLevels } from "./test/support/test-levels.ts";

const { unit, product, eachDatabase } = readTestLevels(import.meta.dirname);

/**
 * Files that fill the machine, count the processes they start or load a network of 170 MB: one file after the other, each
 * in a process of its own, with nothing beside it.
 */
const campaigns = [
  "test/images/**/*.full.test.ts",
  "test/sandbox/background/engine.full.test.ts",
  "test/commands/background*.full.test.ts",
  "test/web/{callback,endpoint}/*.full.test.ts",
  "test/e2e/{double,faults,isolation,replaced}.full.test.ts",
  "test/{budget,moderation/campaign}/kill*.full.test.ts",
  "test/announcements/streams/*.full.test.ts",
  "test/{jobs,store}/crash.full.test.ts",
  "test/store/rotation/reseal-crash.full.test.ts",
];

// What is compiled stays for the next run.
const compiled = join(tmpdir(), "greenroom-compile-cache");
const fonts = join(import.meta.dirname, "src/images/draw/fonts.conf");
// Thousands of small databases wait for the disk at each write; no test cuts the power.
if (roomIn("/dev/shm") > 2 ** 32) process.env.TMPDIR = "/dev/shm";

function roomIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const onSqlite = { GREENROOM_TEST_DATABASE: "SQLite" };
const onPostgres = { GREENROOM_TEST_DATABASE: "PostgreSQL" };
// Loading the bot and its packages takes longer than most files' facts: a process keeps them for the next file.
const shared = { isolate: false };
// Most of the time these wait for another process.
const waiting = { maxWorkers: availableParallelism() + 2, sequence: { groupOrder: 1 } };
const globalSetup = "test/support/full-level.ts";

export default defineConfig({
  test: {
    pool: "forks",
    // Tests create many short-lived objects: fewer garbage collections save a twelfth of the CPU time.
    execArgv: ["--max-semi-space-size=64"],
    // One more than cores, because files wait now and then. Each process loads the bot and warms up on its own.
    maxWorkers: availableParallelism() + 1,
    // Only for tests that hang. No test measures time, and a busy machine takes several times as long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What a test that passes says, and how long it took, is of no interest at the end.
    silent: "passed-only",
    slowTestThreshold: 30_000,
    expect: { poll: { timeout: 60_000 } },
    // Node runs the code as it is, in the tests too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // As the child processes have it that draw pictures.
    env: { NODE_COMPILE_CACHE: compiled, FONTCONFIG_FILE: fonts },
    setupFiles: "test/support/keep-compiled.ts",
    // `npm test` runs the first two, `npm run test:full` the others too.
    projects: [
      { extends: true, test: { ...shared, name: "unit", include: unit } },
      {
        extends: true,
        test: { ...shared, name: "product", include: product, env: onSqlite },
      },
      {
        extends: true,
        test: {
          ...{ ...shared, ...waiting, name: "postgres", include: eachDatabase },
          ...{ env: onPostgres, globalSetup },
        },
      },
      {
        extends: true,
        test: {
          ...{ ...shared, ...waiting, name: "full", globalSetup },
          ...{ include: ["test/**/*.full.test.ts"], exclude: campaigns },
        },
      },
      {
        extends: true,
        test: {
          name: "campaigns",
          include: campaigns,
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { unitFiles } from "./test/support/unit-files.ts";

/** Files that count the processes they start, or load a network of 170 MB: each gets a process of its own. */
const alone = ["test/images/{images,fuzz}.test.ts", "test/sandbox/background/engine.test.ts"];

const all = "test/**/*.test.ts";
// End-to-end tests are not unit tests, even where they import nothing heavy.
const unit = unitFiles(import.meta.dirname).filter((file) => !file.startsWith("test/e2e/"));

/** A process is kept for the next file only where that one shares it too; the longest must not begin last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (/\/(?:moderation\/campaign\/campaign|e2e\/replaced)\.test\.ts$/u.test(moduleId)) return 0;
      return project.name === "alone" ? 1 : 2;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// What is compiled stays for the next run.
const compiled = join(tmpdir(), "greenroom-compile-cache");
// Thousands of small databases wait for the disk at each write; no test cuts the power.
if (roomIn("/dev/shm") > 2 ** 32) process.env.TMPDIR = "/dev/shm";

function roomIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export default defineConfig({
  test: {
    pool: "forks",
    // More than cores: most of a file's time is spent waiting.
    maxWorkers: 5,
    // Only for tests that hang. No test measures time, and a busy machine takes several times as long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // Node runs the code as it is, in the tests too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { NODE_COMPILE_CACHE: compiled },
    setupFiles: "test/support/keep-compiled.ts",
    sequence: { sequencer: LongestFirst },
    // Loading the bot and its packages takes longer than most files' facts: a process keeps them for the next file.
    projects: [
      { extends: true, test: { name: "unit", include: unit, exclude: alone, isolate: false } },
      {
        extends: true,
        test: {
          ...{ name: "shared", include: [all], exclude: [...unit, ...alone], isolate: false },
          globalSetup: "test/support/databases/shared-server.ts",
        },
      },
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
});

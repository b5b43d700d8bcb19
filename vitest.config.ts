import { defineConfig } from "vitest/config";

/** Files that count processes, open browsers or watch memory: each gets a process of its own. */
const alone = [
  "test/images/**/*.test.ts",
  "test/sandbox/page/**/*.test.ts",
  "test/sandbox/background/engine.test.ts",
  "test/e2e/{page,page-studio,page-watch,link,durability,process}.test.ts",
];

const all = "test/**/*.test.ts";

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // Loading the bot and its packages takes longer than most files' facts: a process keeps them for the next file.
      { extends: true, test: { name: "shared", include: [all], exclude: alone, isolate: false } },
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
});

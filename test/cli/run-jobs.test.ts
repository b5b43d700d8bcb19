import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkJobs as examineJobs } from "../../src/cli/diagnosis/store.ts";
import { runJobs } from "../../src/cli/run-jobs.ts";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import { failJob, lockJobs } from "../../src/jobs/job-locks.ts";
import { putJob } from "../../src/jobs/job-table.ts";

async function withParked(keys: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-parked-"));
  const url = `sqlite:${join(folder, "a.sqlite")}`;
  const database = await openDatabase({ url });
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const owner = { database, me: "me", lockMs: 60_000 };
  for (const key of keys) {
    await putJob(database, { queue: "send", key, guildId: "111111111111111111" });
    await lockJobs(owner, "send", [key]);
    const failure = { code: "quota", tries: 3, dueAt: database.now(), isParked: true };
    await failJob(owner, { queue: "send", key }, failure);
  }
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const run = async (words: string) => {
    said.length = 0;
    const env = { STORE_URL: url };
    const around = { env, folder, say, complain: say };
    return [await runJobs(words.split(" ").filter(Boolean), around), said.join("\n")] as const;
  };
  return { database, url, run };
}

async function dueOf({ db }: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from jobs where parked_at is null and tries = 0 order by key`.execute(db);
  return rows.map(({ key }) => key);
}

it("shows how many jobs there are, and what is parked", async () => {
  const { run } = await withParked(["a"]);

  const [code, text] = await run("");

  expect(code).toBe(0);
  expect(text).toMatch(
    /^send: 0 waiting \(0 due\), 0 running, 1 failed for good\n {2}failed for good: send a \(quota, server 111111111111111111, 20.*Z\)$/u,
  );
});

it.each([
  ["retry send b", "1 job will be retried.", ["b"]],
  ["retry send", "3 jobs will be retried.", ["a", "b", "c"]],
  ["retry all", "3 jobs will be retried.", ["a", "b", "c"]],
  ["retry send d", 'No job "d" failed for good.', []],
])("retries what is asked for: %s", async (words, answer, due) => {
  const { run, database } = await withParked(["a", "b", "c"]);

  expect(await run(words)).toEqual([0, answer]);
  expect(await dueOf(database)).toEqual(due);
});

it.each([
  ["revive", 'there is no "revive"'],
  ["retry", "retry needs the name of a queue, or all"],
  ["retry send a b", "there is one word too many"],
  ["retry nosuch", 'no job is in a queue "nosuch"; queues: send'],
])("says what is wrong with: %s", async (words, answer) => {
  const { run } = await withParked(["a"]);

  expect(await run(words)).toEqual([2, `${answer}\nSee: npm run jobs -- --help`]);
});

it("has the doctor say how many failed of what, and what to do", async () => {
  const { url } = await withParked(["a", "b"]);
  const config = { store: { url }, mode: "discord" } as unknown as Parameters<
    typeof examineJobs
  >[0];

  expect(await examineJobs(config)).toEqual([
    {
      check: "jobs",
      state: "warning",
      found: "2 jobs of send (quota) failed for good",
      advice: expect.stringMatching(/npm run jobs -- retry send$/u),
    },
  ]);
});

it("has the doctor say that none failed", async () => {
  const { url } = await withParked([]);
  const config = { store: { url }, mode: "discord" } as unknown as Parameters<
    typeof examineJobs
  >[0];

  expect(await examineJobs(config)).toEqual([
    { check: "jobs", state: "ok", found: "0 jobs waiting; none failed for good" },
  ]);
});

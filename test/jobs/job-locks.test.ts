import { afterAll, expect, it } from "vitest";
import { sql } from "../../src/database/index.ts";
import {
  failJob,
  finishJob,
  lockJobs,
  ownsJob,
  releaseJob,
  releaseLocks,
  renewLocks,
} from "../../src/jobs/job-locks.ts";
import { putJob } from "../../src/jobs/job-table.ts";
import { openFor } from "../database/open.ts";
import { onEach } from "../support/databases/each-kind.ts";

const name = { queue: "mail", key: "a" };

onEach((kind) => {
  afterAll(() => kind().stop());

  async function stage() {
    let now = 1_000_000;
    const { url } = await kind().fresh();
    const database = await openFor({ url, now: () => now });
    const owner = (me: string) => ({ database, me, lockMs: 15_000 });
    const [mine, theirs] = [owner("me"), owner("other")];
    await putJob(database, name);
    await lockJobs(mine, name.queue, [name.key]);
    return {
      url,
      database,
      mine,
      theirs,
      pass: (ms: number) => {
        now += ms;
      },
      read: async () => {
        const { rows } = await sql`select * from jobs`.execute(database.db);
        return rows;
      },
    };
  }

  it.each([
    ["end", finishJob],
    ["schedule again", (...of: Parameters<typeof finishJob>) => finishJob(of[0], of[1], 5)],
    [
      "let fail",
      (...[owner, ref]: Parameters<typeof finishJob>) =>
        failJob(owner, ref, { code: "no", tries: 1, dueAt: 5, isParked: false }),
    ],
    ["release", releaseJob],
    ["renew", (...[owner, ref]: Parameters<typeof finishJob>) => renewLocks(owner, [ref])],
  ] as const)("does not %s a job that another process has", async (_, change) => {
    const { theirs, read, pass } = await stage();
    const before = await read();
    pass(5_000);

    await change(theirs, name);

    expect(await read()).toEqual(before);
  });

  it("counts a lock from when it was written", async () => {
    const { mine, read, pass } = await stage();
    pass(5_000);

    await renewLocks(mine, [name]);

    expect(await read()).toMatchObject([{ locked_by: "me", locked_until: 1_020_000 }]);
  });

  it("is sure of a job only while nobody takes it for a third of a lock", async () => {
    const { mine, theirs, pass } = await stage();

    pass(10_000);
    const before = [await ownsJob(mine, name), await ownsJob(theirs, name)];
    pass(1);

    expect(before).toEqual([true, false]);
    expect(await ownsJob(mine, name)).toBe(false);
  });

  it("frees no lock that was renewed", async () => {
    const { database, mine, read, pass } = await stage();
    pass(10_000);
    await renewLocks(mine, [name]);
    pass(14_999);

    await releaseLocks(database);

    expect(await read()).toMatchObject([{ locked_by: "me" }]);
    pass(2);
    await releaseLocks(database);
    expect(await read()).toMatchObject([{ locked_by: null }]);
  });

  it("frees what it can where another process frees or renews one", async () => {
    const { url, database, mine, read, pass } = await stage();
    const other = await openFor({ url });
    await putJob(database, { queue: "mail", key: "b" });
    await lockJobs(mine, "mail", ["b"]);
    pass(20_000);
    if (database.dialect === "sqlite") return;

    await other.transaction(async () => {
      await sql`update jobs set locked_until = 9000000 where key = ${"a"}`.execute(other.db);
      await releaseLocks(database);
    });

    const locked = (await read()).map((row) => Object(row).locked_by);
    expect(locked.toSorted()).toEqual(["me", null]);
  });
});

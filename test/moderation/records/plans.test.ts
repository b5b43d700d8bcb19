import { expect, it } from "vitest";
import { sql } from "../../../src/database/index.ts";
import { finishJob, lockJobs, releaseLocks, renewLocks } from "../../../src/jobs/job-locks.ts";
import { peekJobs, readJobHeads } from "../../../src/jobs/job-table.ts";
import { createModerationRecords } from "../../../src/moderation/records/index.ts";
import { openFor } from "../../database/open.ts";
import { fencedDatabase } from "../support/fenced-database.ts";
import { guildId, heldOf, start } from "./setup.ts";

const watchId = "a".repeat(16);
const ref = { watchId, itemId: "comment-1" };
const last = { publishedAt: start, id: "comment-1" };
const source = "UCsource";

async function stage() {
  const database = await openFor({ url: "sqlite::memory:" });
  const asked = new Map<string, readonly unknown[]>();
  const logged = fencedDatabase(database, (send, text, values = []) => {
    asked.set(text, values);
    return send();
  });
  const records = createModerationRecords(logged, { put: async () => undefined });
  const owner = { database: logged, me: "process", lockMs: 60_000 };
  await database.servers.need(guildId);
  /** How SQLite finds the rows of each statement that `work` makes. */
  async function plansOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    asked.clear();
    await work();
    const plans: string[] = [];
    for (const text of asked.keys()) {
      if (text === "transaction") continue;
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(
        text.replaceAll("?", "1"),
      )}`.execute(database.db);
      plans.push(...rows.map(({ detail }) => detail));
    }
    return plans;
  }
  return { database, records, owner, plansOf };
}

/** A plan that reads all rows of a large table, of a server or of a watch. */
const wholesale =
  /SCAN (?:held_comments|digests|audit_log)|(?:held_comments|digests|audit_log) USING (?:PRIMARY KEY \(server_id=\?(?: AND watch_id=\?)?\)|.*INDEX \w+ \(server_id=\?\))/u;

it("finds a queue's comments by an index, however many a server has", async () => {
  const { records, plansOf } = await stage();
  const { comments, digests } = records;

  const plans = await plansOf(async () => {
    await comments.read(guildId, ref);
    await comments.readAll(guildId, watchId, ["a", "b"]);
    await comments.readInAllWatches(guildId, "a", "b");
    await comments.readOfAuthor(guildId, "UCauthor", 10);
    await comments.countWaiting(guildId, watchId);
    await comments.countUnsettled(guildId, watchId);
    await comments.lockInAllWatches(guildId, "a");
    await comments.asShown(guildId, [heldOf(1)]);
    await comments.readWaiting(guildId, {
      watchId,
      listedAs: ["heldForReview"],
      after: last,
      limit: 10,
    });
    await comments.readNextOpen(guildId, { watchId, after: last, others: ["b"], shown: ["b"] });
    await comments.readInStatus(guildId, { watchId, status: "open", after: last, limit: 10 });
    await records.audit.hiddenElsewhere(guildId, ["UCa", "UCb"], source);
    await comments.readPage(guildId, { watchId, after: "a", limit: 10 });
    await comments.readDueAt(guildId, { source, dueAt: start, limit: 10 });
    await comments.countUnsent(guildId, source, start);
    await comments.readDue(guildId, {
      source,
      at: start,
      before: { dueAt: start, id: "a" },
      limit: 10,
    });
    await comments.readCardsDue(guildId, { watchId, after: last, limit: 10 });
    await comments.readStale(guildId, watchId, 10);
    await comments.readSnoozed(guildId, watchId, { at: start, limit: 10 });
    await comments.nextSnoozedAt(guildId, watchId);
    await comments.readDecided(guildId, { source, status: "sending", limit: 10 });
    await comments.readDecided(guildId, { source, status: "pending", kind: "ban", limit: 10 });
    await comments.readPendingDecisions(guildId, { source, limit: 10 });
    await comments.countSameText(guildId, { likeness: "a", exceptId: "b", from: 0, to: start });
    await digests.due(guildId, watchId, 10);
  });

  expect(plans.length).toBeGreaterThan(15);
  expect(plans.filter((plan) => wholesale.test(plan))).toEqual([]);
});

it("finds entries of the audit log by an index for whatever has one", async () => {
  const { records, plansOf } = await stage();
  const filters = [
    { actorId: "300000000000000001" },
    { acts: ["banned"] as const },
    { author: `UC${"a".repeat(22)}` },
    { since: start - 1, until: start, actorId: "300000000000000001" },
  ];

  const plans = await plansOf(async () => {
    await records.audit.ofComment(guildId, "a");
    await records.audit.read(guildId, "a");
    for (const filter of filters) await records.audit.page(guildId, filter, { limit: 10 });
    for (const filter of filters) await records.audit.count(guildId, filter, 100);
  });

  expect(plans.length).toBeGreaterThan(8);
  expect(plans.filter((plan) => wholesale.test(plan))).toEqual([]);
});

it("looks at a server's own watches for what they poll, and at no others", async () => {
  const { records, plansOf } = await stage();

  const plans = await plansOf(() => records.watches.demand({ guildId, unableFrom: start }));

  const [byServer] = [...new Set(plans.filter((plan) => plan.includes("watches")))];
  expect(byServer).toBe("SEARCH watches USING PRIMARY KEY (server_id=?)");
});

it("takes jobs by their names and by their turns, however many are due", async () => {
  const { owner, plansOf } = await stage();

  const plans = await plansOf(async () => {
    await readJobHeads(owner.database, ["a", "b"]);
    await peekJobs(owner.database, "a", { without: [1, 2], limit: 10 });
    await lockJobs(owner, "a", ["b", "c"]);
    await renewLocks(owner, [{ queue: "a", key: "b" }]);
    await releaseLocks(owner.database);
    await finishJob(owner, { queue: "a", key: "b" }, start);
  });

  const found = plans.filter((plan) => /(?:SEARCH|SCAN) jobs/.test(plan));
  expect(new Set(found)).toEqual(
    new Set([
      "SEARCH jobs USING INDEX jobs_locked",
      "SEARCH jobs USING INDEX jobs_locked (locked_until<?)",
      "SEARCH jobs USING INDEX jobs_waiting (queue=?)",
      "SEARCH jobs USING INDEX jobs_waiting (queue=? AND due_at<?)",
      "SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (queue=? AND key=?)",
      "SEARCH jobs USING COVERING INDEX sqlite_autoindex_jobs_1 (queue=? AND key=?)",
    ]),
  );
});

it("has figures for every index of the tables that grow", async () => {
  const { database } = await stage();

  const { rows } = await sql<{ name: string; stat: string | null }>`
    select indexes.name, stat from sqlite_master as tables, pragma_index_list(tables.name) as indexes
      left join sqlite_stat1 on idx in (indexes.name, iif(origin = 'pk', tables.name, null))
    where tables.name in ('watches', 'held_comments', 'digests', 'audit_log', 'jobs')`.execute(
    database.db,
  );

  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter(({ stat }) => stat === null)).toEqual([]);
});

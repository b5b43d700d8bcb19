import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTimerClock } from "../../src/clock.ts";
import { openDatabase, waitForDatabase } from "../../src/database/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { findPostgres, startPostgres, startStandby } from "../support/databases/postgres-server.ts";
import { query } from "../support/databases/shared-server.ts";
import { freePort } from "../support/free-port.ts";
import { openFor } from "./open.ts";

/** One address that can be pointed at one server after the other. */
async function startAddress(firstPort: number) {
  let port = firstPort;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address() as { readonly port: number };
  return {
    url: `postgres://greenroom@127.0.0.1:${address.port}/postgres`,
    lead: (to: number) => {
      port = to;
    },
  };
}

function openJobs(database: Awaited<ReturnType<typeof openDatabase>>, renewEveryMs?: number) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({ level: "info", secrets: createSecrets(), write });
  const clock = createTimerClock(Date.now);
  const jobs = createJobs({
    database,
    clock,
    random: Math.random,
    log,
    lookEveryMs: 50,
    ...(renewEveryMs !== undefined && { renewEveryMs }),
  });
  onTestFinished(() => jobs.close());
  const done: string[] = [];
  jobs.handle("mail", { concurrency: 4, perServer: 4, timeoutMs: 60_000 }, async ({ key }) => {
    done.push(key);
    return undefined;
  });
  return { jobs, lines, done };
}

describe.skipIf(findPostgres() === undefined)("a PostgreSQL that fails over", () => {
  it("is served again by itself once the standby takes writes, and nothing is lost", async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.stop());
    const address = await startAddress(primary.port);
    const database = await openFor({ url: address.url });
    const { jobs, lines, done } = openJobs(database);
    await jobs.put({ queue: "mail", key: "before" });
    const standby = await startStandby(primary);
    onTestFinished(() => standby.stop());
    const followed = () => query(standby.url, "select key from jobs");
    await expect.poll(followed).toEqual([{ key: "before" }]);
    await Promise.all(Array.from({ length: 8 }, () => database.ping()));

    await primary.kill();
    address.lead(standby.port);
    jobs.start();
    const refusals: { code: unknown; outcome: unknown; sqlState: unknown }[] = [];
    while (refusals.at(-1)?.sqlState !== "25006" && refusals.length < 50) {
      const error = await jobs.put({ queue: "mail", key: "refused" }).catch((each) => each);
      refusals.push({ code: error.code, outcome: error.outcome, sqlState: error.cause?.code });
    }
    const last = refusals.at(-1);
    const warnings = () =>
      lines.filter(({ level }) => level === "warn").map(({ message }) => message);
    await expect.poll(warnings).toEqual(["jobs could not be looked for"]);
    await query(standby.url, "select pg_promote()");
    await expect
      .poll(() => jobs.put({ queue: "mail", key: "after" }).then(() => "done"))
      .toBe("done");

    await expect.poll(() => done.toSorted()).toEqual(["after", "before"]);
    expect(last).toEqual({ code: "store_unavailable", outcome: "nothing", sqlState: "25006" });
    expect(warnings()).toHaveLength(1);
    expect(lines.map(({ message }) => message)).toContain("jobs are looked for again");
  });

  it("is missed once in the log, although a standby answers what only reads", async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.stop());
    const address = await startAddress(primary.port);
    const database = await openFor({ url: address.url });
    const { jobs, lines } = openJobs(database, 100);
    await jobs.hold({ queue: "processes", key: "this one" });
    const standby = await startStandby(primary);
    onTestFinished(() => standby.stop());
    const rollbacks = async () => {
      const text = "select sum(xact_rollback) as count from pg_stat_database";
      const [row] = await query(standby.url, text);
      return Number(row?.count);
    };

    jobs.start();
    await primary.kill();
    address.lead(standby.port);
    await expect.poll(rollbacks).toBeGreaterThan(20);
    await query(standby.url, "select pg_promote()");

    const messages = () => lines.map(({ message }) => message);
    await expect.poll(messages).toContain("jobs are looked for again");
    const away = messages().filter((message) => message === "jobs could not be looked for");
    expect(away).toHaveLength(1);
  });

  it("is waited for at the start, first while it is away, then while it refuses writes", async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.stop());
    const standby = await startStandby(primary);
    onTestFinished(() => standby.stop());
    const address = await startAddress(await freePort());
    const reasons: string[] = [];
    const onWait = (error: Error) => void reasons.push(error.message);

    const opening = waitForDatabase({ url: address.url, onWait }, () =>
      openDatabase({ url: address.url }),
    );
    await expect.poll(() => reasons.length).toBe(1);
    address.lead(standby.port);
    await expect.poll(() => reasons.at(-1)).toContain("standby");
    await query(standby.url, "select pg_promote()");
    const database = await opening;
    onTestFinished(() => database.close());

    await expect(database.ping()).resolves.toBeUndefined();
    expect(reasons.length).toBeLessThanOrEqual(3);
  });

  it("is not waited for where a person has to change something", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const url = server.url.replace(/postgres$/u, "missing");

    const opening = waitForDatabase({ url, onWait: () => undefined }, () => openDatabase({ url }));

    await expect(opening).rejects.toMatchObject({
      code: "store_server",
      facts: { mayPass: false },
    });
  });
});

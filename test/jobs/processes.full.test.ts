import { describe, expect, it, onTestFinished } from "vitest";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { heldHandler, openStage, usual } from "./stage.ts";

describe.skipIf(findPostgres() === undefined)("jobs on a PostgreSQL that restarts", () => {
  it("loses none, and goes on by itself", async () => {
    const server = await startPostgres(["fsync=off"]);
    onTestFinished(() => server.stop());
    const { process, pass, now } = await openStage(server);
    const jobs = process();
    const { work, begun, end } = heldHandler();
    jobs.handle("mail", usual, work);
    jobs.start();
    await jobs.put({ queue: "mail", key: "waits", dueAt: now() + 10_000 });
    await jobs.put({ queue: "mail", key: "runs" });
    await pass(10);

    await server.kill();
    await pass(3_000);
    await server.start();
    await pass(10_000);

    expect(begun.map(({ key }) => key)).toEqual(["runs", "waits"]);
    end(0);
    end(1);
    await pass(30_000);
    expect(await jobs.counts()).toEqual([]);
  });
});

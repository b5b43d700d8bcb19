import { afterAll, expect, it, onTestFinished } from "vitest";
import { openProcesses } from "../../src/bot/processes.ts";
import type { Discord } from "../../src/discord/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { openStage } from "../jobs/stage.ts";
import { onEach } from "../support/databases/each-kind.ts";

onEach((kind) => {
  afterAll(() => kind().stop());

  /** Processes that share a database; each records what it stops and which process's work it takes over. */
  async function stage() {
    const { process, pass, settle, now, database } = await openStage(kind());
    const none = async (): Promise<readonly string[]> => [];
    const open = async ({ hasOpen = async () => false, leftBy = none } = {}) => {
      let stoodMs = 0;
      const jobs = process({ elapsed: () => now() + stoodMs });
      const [events, recovered, lines]: [string[], string[], string[]] = [[], [], []];
      const discord = Promise.resolve({
        recover: async (id: string) => void recovered.push(id),
      } as unknown as Discord);
      const log = createLog({
        level: "info",
        secrets: createSecrets(),
        write: (line) => void lines.push(String(JSON.parse(line).message)),
      });
      const processes = await openProcesses({
        jobs,
        discord,
        log,
        store: { database, interactions: { hasOpen, leftBy } },
        config: { discord: {} } as Parameters<typeof openProcesses>[0]["config"],
        onLost: () => void events.push(jobs.processId),
      });
      onTestFinished(processes.close);
      jobs.start();
      return {
        jobs,
        events,
        recovered,
        lines,
        processes,
        standStill: (ms: number) => {
          stoodMs += ms;
        },
      };
    };
    const held = async () => {
      const rows = await database.db
        .selectFrom("jobs")
        .select("locked_by")
        .where("queue", "=", "processes")
        .where("locked_by", "is not", null)
        .execute();
      return rows.map(({ locked_by }) => locked_by);
    };
    const closeJobs = async ({ jobs }: Awaited<ReturnType<typeof open>>) => {
      const closed = jobs.close();
      await pass(5_000);
      await closed;
    };
    const left = async () => {
      const rows = await database.db.selectFrom("jobs").select("key").execute();
      return rows.map(({ key }) => key);
    };
    return { open, closeJobs, pass, settle, held, left };
  }

  it("stops what a process does that others may take for dead, and goes on under another id", async () => {
    const { open, pass, settle, held } = await stage();
    const one = await open();
    const id = one.jobs.processId;
    await pass(1_000);

    one.standStill(20_000);
    const later = one.jobs.processId;
    const atOnce = [...one.events];
    await settle();

    expect(later).not.toBe(id);
    expect(atOnce).toEqual([later]);
    expect((await held()).toSorted()).toEqual([id, later].toSorted());
    expect(one.lines).toEqual([
      "other processes may take this one for dead, so it goes on as a new one",
    ]);
  });

  it("leaves to the others what began under the old id, and nothing that began later", async () => {
    const { open, pass, held } = await stage();
    const [one, other] = [await open(), await open()];
    const id = one.jobs.processId;
    await pass(1_000);

    one.standStill(20_000);
    await pass(20_000);

    expect([...one.recovered, ...other.recovered]).toEqual([id]);
    expect((await held()).toSorted()).toEqual(
      [one.jobs.processId, other.jobs.processId].toSorted(),
    );
  });

  it.skipIf(kind().dialect === "sqlite")(
    "takes over what a process left that had no job",
    async () => {
      const { open, pass } = await stage();
      const one = await open({ leftBy: async () => ["gone"] });

      await pass(1_000);

      expect(one.recovered).toEqual(["gone"]);
    },
  );

  it("stops nothing when it closes, and leaves nothing behind", async () => {
    const { open, closeJobs, left } = await stage();
    const one = await open();

    await closeJobs(one);
    await one.processes.close();

    expect([one.events, one.lines, await left()]).toEqual([[], [], []]);
  });

  it("leaves to the others what is open when it closes, also what it took over at the end", async () => {
    const { open, closeJobs, pass } = await stage();
    const [one, other] = [await open({ hasOpen: async () => true }), await open()];
    const id = one.jobs.processId;

    await closeJobs(one);
    const before = [...other.recovered];
    await one.processes.close();
    await pass(1_000);

    expect(before).toEqual([id]);
    expect(other.recovered).toEqual([id, id]);
  });
});

import { expect, it, onTestFinished } from "vitest";
import { createNotifier } from "../../src/bot/notifier.ts";
import type { Notification } from "../../src/channel-messages.ts";
import { openDatabase } from "../../src/database/index.ts";
import { createJobs, type Job, type JobHandler, type Jobs } from "../../src/jobs/index.ts";
import { guild } from "../database/open.ts";

async function stage() {
  const database = await openDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  const log = { warn: () => undefined, error: () => undefined } as never;
  const jobs = createJobs({
    database,
    random: Math.random,
    log,
    clock: { now: database.now, after: () => () => undefined },
  });
  let work: JobHandler | undefined;
  const sent: Notification[] = [];
  const handle: Jobs["handle"] = (_, __, handler) => {
    work = handler;
  };
  const discord = Promise.resolve({
    notify: async (notification: Notification) => void sent.push(notification),
  });
  const notify = createNotifier({ put: jobs.put, handle }, discord);
  const rows = () => database.db.selectFrom("jobs").selectAll().execute();
  const runAll = async () => {
    for (const { data } of await rows()) await work?.({ data: JSON.parse(data) } as Job);
  };
  return { database, notify, sent, rows, runAll };
}

const lost = (watchId: string) => {
  const facts = { guildId: guild, watchId };
  return { name: "watch-lost", facts } as unknown as Notification;
};

it("sends what was put on record, each once however often it was put", async () => {
  const { notify, sent, runAll, rows } = await stage();

  await notify(lost("w1"));
  await notify(lost("w1"));
  await notify(lost("w2"));
  await runAll();

  expect(await rows()).toHaveLength(2);
  expect(sent).toEqual(expect.arrayContaining([lost("w1"), lost("w2")]));
});

it("comes and goes with its cause", async () => {
  const { database, notify, rows } = await stage();

  const failing = database.transaction(async () => {
    await notify(lost("w1"));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await rows()).toEqual([]);
  await notify(lost("w1"));
  const serverId = (await database.servers.find(guild)) ?? 0;
  await database.servers.remove({ table: "servers", serverId });

  expect(await rows()).toEqual([]);
});

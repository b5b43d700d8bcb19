import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { startRetention } from "../../src/bot/retention.ts";
import { entryOf, itemOf } from "../store/facts/queue-records.ts";
import { guild, linkedChannel, openFor, otherGuild, temporaryFolder } from "../store/setup.ts";

const day = 24 * 3_600_000;

async function started() {
  const start = Date.now();
  let now = start;
  const path = join(temporaryFolder(), "a.sqlite");
  const store = await openFor({ url: `sqlite:${path}`, now: () => now });
  const told: string[] = [];
  const tell = (what: string) => void told.push(what);
  const retention = startRetention({ store, log: { info: tell, warn: tell }, now: () => now });
  await retention.close();
  return { store, path, start, told, sweep: retention.sweep, wait: (ms: number) => (now += ms) };
}

it("keeps what a channel is called for less than 30 days, unless it was read again", async () => {
  const { store, start, sweep, wait, told } = await started();
  const { addedAt: _, ...channel } = linkedChannel();
  const linked = { ...channel, addedAt: start, titleReadAt: start, name: "Ours" };
  await store.credentials.write(guild, linked);
  await store.credentials.write(guild, { ...linked, channelId: "UC-second", secret: "1//second" });
  const { titleReadAt: __, ...old } = linked;
  await store.credentials.write(otherGuild, old);
  const titles = async () =>
    await Promise.all(
      [guild, otherGuild].map(async (id) => {
        const read = await store.credentials.channels(id);
        return read.state === "found" ? read.value.map((one) => one.channelTitle) : read.state;
      }),
    );
  const title = linked.channelTitle;

  wait(28.9 * day);
  await sweep();
  expect(await titles()).toEqual([[title, title], [title]]);
  await store.credentials.changeChannel(guild, "UC-second", { titleReadAt: start + 28.9 * day });
  wait(0.2 * day);
  await sweep();

  expect(await titles()).toEqual([[undefined, title], [undefined]]);
  expect(await store.credentials.read(guild, "channel")).toMatchObject({
    value: { name: "Ours", secret: linked.secret, addedAt: start },
  });
  expect(told).toEqual(["titles nobody read again are forgotten"]);
});

it("passes over a row that does not open, and says nothing when there is nothing to do", async () => {
  const { store, path, sweep, wait, told } = await started();
  await store.credentials.write(guild, linkedChannel());
  await store.credentials.write(otherGuild, linkedChannel());
  const database = new DatabaseSync(path);
  const sql = `UPDATE entries SET value = '{"value":"1.k1.AAAA"}' WHERE key = 'credential:${guild}:channel'`;
  database.exec(sql);
  database.close();

  wait(1);
  await sweep();
  await sweep();

  expect(told).toEqual(["titles nobody read again are forgotten"]);
  expect(await store.credentials.read(otherGuild, "channel")).toMatchObject({
    value: { secret: linkedChannel().secret },
  });
});

it("warns while the store does not answer, and goes on", async () => {
  const { store, sweep, told } = await started();
  await store.close();

  await sweep();

  expect(told).toEqual(["what is old was not forgotten"]);
});

it("forgets what the queue knows of comments that nobody read again, in the same round", async () => {
  const { store, start, sweep, wait, told } = await started();
  const at = { seenAt: start, readAt: start };
  await store.moderation.audit.update(guild, "1-a", () => entryOf("1-a", { at: start }));
  await store.moderation.items.update(guild, "a1:i1", () => itemOf("i1", at));

  wait(28.9 * day);
  await sweep();
  expect(told).toEqual([]);
  wait(0.2 * day);
  await sweep();

  expect(told).toEqual(["old records are forgotten"]);
  const [entry] = await store.moderation.audit.list(guild);
  const [item] = await store.moderation.items.list(guild);
  expect(entry).toMatchObject({ id: "1-a", commentId: "c1", authorId: "UC-ada" });
  expect(entry).not.toHaveProperty("text");
  expect(item).toMatchObject({ status: "open", comment: { id: "comment-i1", text: "" } });
});

it("keeps what buttons stand for no longer than 30 days, whatever was asked for", async () => {
  const { store, wait } = await started();
  const handle = await store.continuations.put({ guildId: guild, userId: "1", state: 0 }, 90 * day);

  wait(30 * day - 1);
  expect(await store.continuations.read(handle)).toMatchObject({ state: "found" });
  wait(1);
  expect(await store.continuations.read(handle)).toEqual({ state: "absent" });
});

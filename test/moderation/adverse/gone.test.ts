import { describe, expect, it } from "vitest";
import { ann, channelId, guildId, minute, openRig, type Rig, settingOf } from "../support/rig.ts";
import { behind, slow } from "../support/store-between.ts";

const second = 1_000;
const elsewhere = `UC${"q".repeat(22)}`;

/** A process whose store answers late, in the middle of taking in a hundred comments. */
async function takingIn(rig: Rig) {
  for (let n = 0; n < 100; n += 1) rig.hold(`Held ${n}`);
  const { moderation, leases, guilds } = rig.store;
  const process = rig.process({
    store: { moderation: behind(moderation, rig.clock, slow(rig.clock, 100)), leases, guilds },
  });
  const putting = process.guild.watches.put(settingOf(rig.video), ann.userId);
  let watchId = "";
  void putting.then(({ id }) => {
    watchId = id;
  });
  while ((await rig.items()).length < 10) await rig.clock.pass(50);
  return { process, watchId };
}

async function leftovers({ store }: Rig) {
  const { watches: _, rules: __, ...rows } = store.moderation;
  const all = await Promise.all(
    Object.entries(rows).map(async ([name, { list }]) => [name, (await list(guildId)).length]),
  );
  return Object.fromEntries(all.filter(([, count]) => count !== 0));
}

async function until<T>(rig: Rig, work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) await rig.clock.pass(100);
  return work;
}

describe("a watch that is stopped while comments are taken in", () => {
  it("leaves nothing behind", async () => {
    const rig = await openRig();
    const { process, watchId } = await takingIn(rig);
    await until(rig, process.guild.watches.remove(watchId));
    await rig.clock.pass(2 * minute);

    const { authors: _, ...rest } = await leftovers(rig);
    expect(rest).toEqual({});
    expect(rig.desk.messages).toEqual([]);
  });

  it("leaves nothing behind where another process stopped it", async () => {
    const rig = await openRig();
    const { watchId } = await takingIn(rig);
    const other = rig.process();
    await until(rig, other.guild.watches.remove(watchId));
    const posted = rig.desk.messages.length;
    await rig.clock.pass(5 * minute);

    const { authors: _, ...rest } = await leftovers(rig);
    expect(rest).toEqual({});
    expect(rig.desk.messages).toHaveLength(posted);
  });

  it("brings nothing of the former channel into the queue of the next one", async () => {
    const rig = await openRig();
    const { process } = await takingIn(rig);
    const setting = settingOf(rig.video, { source: elsewhere, channelId });
    await until(rig, process.guild.watches.put(setting, ann.userId));
    await rig.clock.pass(2 * minute);

    expect(await rig.items()).toEqual([]);
  });
});

describe("a server that is erased while comments are taken in", () => {
  it("leaves nothing behind", async () => {
    const rig = await openRig();
    const { process } = await takingIn(rig);
    const erasing = process.moderation.forget(guildId).then(() => rig.store.guilds.erase(guildId));
    await until(rig, erasing);
    await rig.clock.pass(5 * minute);

    expect(await leftovers(rig)).toEqual({});
    expect(rig.desk.messages).toEqual([]);
  });

  it("leaves nothing behind where another process erases it", async () => {
    const rig = await openRig();
    await takingIn(rig);
    await until(rig, rig.store.guilds.erase(guildId));
    await rig.clock.pass(5 * minute);

    expect(await leftovers(rig)).toEqual({});
  });

  it("is taken in anew once it is set up again", async () => {
    const rig = await openRig();
    const { process } = await takingIn(rig);
    await until(rig, process.moderation.forget(guildId));
    await until(rig, rig.store.guilds.erase(guildId));

    await until(rig, process.moderation.of(guildId).watches.put(settingOf(rig.video), ann.userId));
    await rig.clock.pass(minute);

    expect(await rig.items()).toHaveLength(100);
  });
});

describe("a watch whose channel is changed", () => {
  it("sends what is decided then as the new channel", async () => {
    const rig = await openRig();
    const sources: string[] = [];
    const process = rig.process({
      video: async (_, source) => {
        sources.push(source);
        throw new Error("no wire");
      },
    });
    const former = await process.watch({ source: elsewhere });
    await process.guild.queue.decide({
      items: [{ watchId: former.id, itemId: "a".repeat(32) }],
      kind: "approve",
      by: ann,
      from: "card",
    });
    const watch = await process.watch();
    sources.length = 0;
    await process.guild.queue.decide({
      items: [await oneOf(rig, watch.id)],
      kind: "approve",
      by: ann,
      from: "card",
    });
    await rig.clock.pass(20 * second);

    expect(new Set(sources)).toEqual(new Set([rig.video.ownChannelId]));
  });
});

async function oneOf(rig: Rig, watchId: string) {
  const id = "b".repeat(32);
  await rig.store.moderation.items.update(guildId, `${watchId}:${id}`, () => ({
    ...{ id, watchId, source: rig.video.ownChannelId },
    ...{ seenAt: 0, readAt: 0, status: "open" as const, revision: 1 },
    comment: {
      ...{ id: "Ugy", text: "First", likes: 0, publishedAt: 0, updatedAt: 0 },
      state: "heldForReview" as const,
    },
    card: { state: "posted" as const, handle: "h".repeat(22), since: 0 },
  }));
  return { watchId, itemId: id };
}

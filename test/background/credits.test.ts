import { describe, expect, it } from "vitest";
import { type CreditRecords, createCredits } from "../../src/background/index.ts";
import { storeUnavailable } from "../../src/discord/access/guard.ts";
import { guild, openFor, otherGuild } from "../store/setup.ts";

const noon = Date.UTC(2026, 0, 31, 12);
const day = 24 * 3_600_000;
const spender = { guildId: guild, userId: "333333333333333333", command: "background remove" };

async function counted(start = noon) {
  const store = await openFor();
  const time = { now: start };
  const failures: unknown[] = [];
  const credits = createCredits({
    records: store.credits,
    now: () => time.now,
    onFailure: (error) => failures.push(error),
  });
  return { store, time, credits, failures };
}

describe("createCredits", () => {
  it("adds up what each person spent with each command, a day at a time", async () => {
    const { credits, time } = await counted();
    const other = { ...spender, userId: "444444444444444444", command: "Remove background" };

    await credits.count(spender, 0.25);
    await credits.count(spender, 1);
    await credits.count(other, 0);
    time.now += day;
    await credits.count(spender, 1);

    const { userId, command } = spender;
    expect(await credits.spent(guild, 7)).toEqual([
      { day: "2026-02-01", userId, command, credits: 1, pictures: 1 },
      { day: "2026-01-31", userId, command, credits: 1.25, pictures: 2 },
      { day: "2026-01-31", userId: other.userId, command: other.command, credits: 0, pictures: 1 },
    ]);
    expect(await credits.spent(guild, 1)).toHaveLength(1);
  });

  it("loses no thousandth of a credit", async () => {
    const { credits } = await counted();

    await Promise.all(Array.from({ length: 300 }, () => credits.count(spender, 1.001)));

    expect(await credits.spent(guild, 1)).toMatchObject([{ credits: 300.3, pictures: 300 }]);
  });

  it("adds up what several processes count", async () => {
    const { store, credits } = await counted();
    const second = createCredits({ records: store.credits, now: () => noon });

    await Promise.all([credits, second, credits, second].map((one) => one.count(spender, 0.25)));

    expect(await credits.spent(guild, 1)).toMatchObject([{ credits: 1, pictures: 4 }]);
  });

  it("counts by days of UTC", async () => {
    const { credits, time } = await counted(Date.UTC(2026, 0, 31, 23, 59, 59, 999));

    await credits.count(spender, 1);
    time.now += 1;
    await credits.count(spender, 1);

    const days = (await credits.spent(guild, 2)).map((line) => line.day);
    expect(days).toEqual(["2026-02-01", "2026-01-31"]);
  });

  it("shows no guild another one's", async () => {
    const { credits } = await counted();

    await credits.count({ ...spender, guildId: otherGuild }, 1);

    expect(await credits.spent(guild, 40)).toEqual([]);
  });

  it.each([0, -1, 1_000_000])("answers for %i days what there is", async (days) => {
    const { credits } = await counted();
    await credits.count(spender, 1);

    expect(await credits.spent(guild, days)).toHaveLength(days > 0 ? 1 : 0);
  });

  it("never fails a picture for a store that does", async () => {
    const { store, credits, failures } = await counted();
    await store.close();

    await credits.count(spender, 1);

    expect(failures).toEqual([expect.objectContaining({ code: "store_unavailable" })]);
    await expect(credits.spent(guild, 1)).rejects.toMatchObject({ code: "store_unavailable" });
  });

  it("never calls a record it could not read an empty one", async () => {
    const error = storeUnavailable(undefined);
    const records: CreditRecords = {
      read: async () => ({ state: "failed", error }),
      add: async () => ({}),
    };
    const credits = createCredits({ records, now: () => noon });

    await expect(credits.spent(guild, 3)).rejects.toBe(error);
  });

  it("counts nothing of what was under way when its guild was forgotten", async () => {
    const { store, credits } = await counted();
    const count = credits.counter(spender);
    const othersCount = credits.counter({ ...spender, guildId: otherGuild });
    await count(1);

    credits.forget(guild);
    await store.guilds.erase(guild);
    await count(1);
    await othersCount(1);

    expect(await credits.spent(guild, 1)).toEqual([]);
    expect(await credits.spent(otherGuild, 1)).toHaveLength(1);
    await credits.counter(spender)(0.5);
    expect(await credits.spent(guild, 1)).toMatchObject([{ credits: 0.5 }]);
  });
});

import { expect, it } from "vitest";
import { guildId, onEachDatabase, otherGuildId, start } from "./setup.ts";

onEachDatabase((open) => {
  it("counts by author, and what several write at once adds up", async () => {
    const { records } = await open();
    const { authors } = records;

    await authors.add(guildId, "a", { seen: 2 });
    await authors.add(guildId, "b", { seen: 1 });
    await Promise.all(Array.from({ length: 20 }, () => authors.add(guildId, "a", { approved: 1 })));
    await authors.add(guildId, "b", { rejected: 1 });
    await authors.add(guildId, undefined, { rejected: 1 });

    const rest = { notes: 0, lastAt: start };
    expect(await authors.read(guildId, "a")).toEqual({
      seen: 2,
      approved: 20,
      rejected: 0,
      ...rest,
    });
    expect(await authors.read(guildId, "b")).toEqual({
      seen: 1,
      approved: 0,
      rejected: 1,
      ...rest,
    });
    expect(await authors.read(otherGuildId, "a")).toBeUndefined();
  });
});

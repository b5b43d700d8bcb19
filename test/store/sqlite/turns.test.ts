import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { guild, openFor, otherGuild, temporaryFolder } from "../setup.ts";

/** How often other work has its turn meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTurn();
    turns += 1;
  }
  await over;
  return turns;
}

it("other work goes on while a guild with many records is erased, and while all are listed", async () => {
  const { continuations, guilds } = await openFor({ url: `sqlite:${temporaryFolder()}/a.sqlite` });
  for (const guildId of [guild, otherGuild]) {
    for (let n = 0; n < 300; n++) {
      await continuations.put({ guildId, userId: "1", state: n }, 600_000);
    }
  }

  expect(await turnsDuring(guilds.all())).toBeGreaterThanOrEqual(6);
  expect(await turnsDuring(guilds.erase(guild))).toBeGreaterThanOrEqual(300);
  expect(await guilds.all()).toEqual([otherGuild]);
});

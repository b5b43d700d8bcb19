import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { seed, seeded } from "../../support/random.ts";
import { channelOf, fill } from "../facts/erasure.ts";
import { guild, openFor, temporaryFolder } from "../setup.ts";

const bytesOf = (path: string) =>
  ["", "-wal", "-shm"]
    .filter((end) => existsSync(`${path}${end}`))
    .map((end) => readFileSync(`${path}${end}`).toString("latin1"))
    .join("\n");

it("leaves no byte of an erased guild in the file, its log or its shared memory, also of what had ended", async () => {
  const path = join(temporaryFolder(), "a.sqlite");
  let now = Date.now();
  const store = await openFor({ url: `sqlite:${path}`, now: () => now });
  const random = seeded(seed);
  const others = Array.from({ length: 60 }, (_, n) => String(300_000_000_000_000_000n + BigInt(n)));
  for (const id of [...others.slice(30), guild, ...others.slice(0, 30)]) {
    await fill(store, id);
    const state = `state-${id}-${"y".repeat(random() * 3000)}`;
    await store.continuations.put({ guildId: id, userId: "1", state }, 1_000);
  }
  const sealed = sealedTexts(path);
  expect(sealed.length).toBeGreaterThan(20);
  expect(bytesOf(path)).toContain(guild);
  // What ends is swept by later writes, once a minute at most.
  await store.revocations.add("1//another");
  now += 30_000;

  await store.guilds.erase(guild);

  const left = bytesOf(path);
  const traces = [guild, channelOf(guild), ...sealed].filter((one) => left.includes(one));
  expect(traces, `seed ${seed}`).toEqual([]);
  expect(left).toContain(others[0]);
});

/** Pieces of what is sealed of the guild, as they lie in the file. */
function sealedTexts(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare("SELECT value FROM entries WHERE key GLOB ? OR value GLOB ?")
    .all(`*${guild}*`, `*${guild}*`);
  database.close();
  return rows.flatMap(
    ({ value }) =>
      String(value)
        .slice(20, -4)
        .match(/[\w-]{32}/g) ?? [],
  );
}

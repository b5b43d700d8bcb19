import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/database/index.ts";
import { createSharedLocks } from "../../src/store/locks.ts";
import { kinds } from "../support/databases/each-kind.ts";

describe.each(kinds)("createSharedLocks on $name", ({ make }) => {
  const kind = make?.();
  afterAll(() => kind?.stop());

  async function rig() {
    if (kind === undefined) throw new Error("no database");
    const place = await kind.fresh();
    const databases = [
      await openDatabase({ url: place.url }),
      ...(kind.dialect === "postgres" ? [await openDatabase({ url: place.url })] : []),
    ];
    onTestFinished(async () => {
      for (const database of databases) await database.close();
    });
    return { place, locks: databases.map((database) => createSharedLocks(database)) };
  }

  it.skipIf(kind === undefined)("runs work of one key one after the other", async () => {
    const { locks } = await rig();
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => locks[n % locks.length]?.("a key", work)),
    );

    expect(most).toBe(1);
  });

  it.skipIf(kind === undefined)("lets others go on after work that failed", async () => {
    const { locks, place } = await rig();
    const [first, last = first] = locks;
    await expect(
      first?.("a key", async () => {
        throw new Error("failed");
      }),
    ).rejects.toThrow("failed");

    expect(await last?.("a key", async () => 1)).toBe(1);
    expect(await place.query("select key from rates")).toHaveLength(0);
  });
});

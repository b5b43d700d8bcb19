import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/database/index.ts";
import { createContinuations } from "../../../src/store/continuations.ts";
import { createRecords } from "../../../src/store/records.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { seed, seeded } from "../../support/random.ts";
import { found, guild, openFor, otherGuild } from "../setup.ts";

export function continuationFacts(kind: Kind) {
  describe("continuations", () => {
    const continuation = {
      guildId: guild,
      userId: "333333333333333333",
      state: { next: [":x", null], n: 1 },
    };

    it("answers what was put, by a handle of 22 characters, until it is removed", async () => {
      const { continuations } = await openFor(await kind.fresh());

      const handle = await continuations.put(continuation, 60_000);

      expect(handle).toMatch(/^[\w-]{22}$/);
      expect(await continuations.read(handle)).toEqual(found(continuation));
      await continuations.remove(handle);
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it("forgets one when its time is over, by the database's clock", async () => {
      let now = Date.UTC(2020, 0, 31);
      const { continuations } = await openFor({ ...(await kind.fresh()), now: () => now });
      const handle = await continuations.put(continuation, 60_000);

      now += 59_999;
      expect(await continuations.read(handle)).toMatchObject({ state: "found" });
      now += 1;
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it("answers what was put under a chosen handle, and the last of what was put there", async () => {
      const { continuations } = await openFor(await kind.fresh());
      const handle = "-_chosenBefore01234567";

      await continuations.putAs(handle, { ...continuation, state: "first" });
      await continuations.putAs(handle, continuation);

      expect(await continuations.read(handle)).toEqual(found(continuation));
      await continuations.remove(handle);
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it("keeps that for 61 days, counted from the last time", async () => {
      let now = Date.now();
      const { continuations } = await openFor({ ...(await kind.fresh()), now: () => now });
      const handle = "a".repeat(22);
      await continuations.putAs(handle, continuation);

      now += 60 * 24 * 3_600_000;
      expect(await continuations.read(handle)).toMatchObject({ state: "found" });
      await continuations.putAs(handle, continuation);
      now += 61 * 24 * 3_600_000 - 1;
      expect(await continuations.read(handle)).toMatchObject({ state: "found" });
      now += 1;
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it.each([
      "",
      "a".repeat(21),
      "a".repeat(23),
      "keyv:aaaaaaaaaaaaaaaaa",
      "aaaaaaaaaaaaaaaaaaaaa\n",
    ])("puts nothing under %j", async (handle) => {
      const { continuations } = await openFor(await kind.fresh());

      await expect(continuations.putAs(handle, continuation)).rejects.toThrow(TypeError);
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it.each([
      "",
      "keyv:abc",
      "continuation:aaaaaaaaaaaaaaaaaaaaaa",
      "a".repeat(21),
      "../../../../etc/passwd",
    ])("does not know the forged handle %j", async (handle) => {
      const { continuations } = await openFor(await kind.fresh());

      expect(await continuations.read(handle)).toEqual({ state: "absent" });
      await expect(continuations.remove(handle)).resolves.toBeUndefined();
    });

    const person = "333333333333333333";
    const other = "444444444444444444";

    /** Continuations with little room; each takes at least 256 bytes. */
    async function openSmall(maxGuildBytes: number, now = Date.now) {
      const database = await openDatabase({ url: (await kind.fresh()).url, now });
      onTestFinished(() => database.close());
      return createContinuations(createRecords(database), maxGuildBytes);
    }

    const large = (number: number) => `${number}`.padStart(900, `${number * 7919}-`);
    const bytesOf = (userId: string, state: unknown) =>
      JSON.stringify({ guildId: guild, userId, packed: state }).length;

    /** Which of these handles still work, by their positions in the list. */
    async function left(store: Awaited<ReturnType<typeof openSmall>>, handles: readonly string[]) {
      const reads = await Promise.all(handles.map(store.read));
      return reads.flatMap(({ state }, at) => (state === "found" ? [at] : []));
    }

    const put = (store: Awaited<ReturnType<typeof openSmall>>, userId: string, state: unknown) =>
      store.put({ guildId: guild, userId, state }, 60_000);

    it("drops the oldest where a guild's room is full, and keeps the newest", async () => {
      const store = await openSmall(10 * 256);
      const handles: string[] = [];
      for (let number = 0; number < 25; number += 1) {
        handles.push(await put(store, person, number));
      }

      expect(await left(store, handles)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
    });

    it("drops the oldest of whoever has most, and not of who writes", async () => {
      const store = await openSmall(4 * 256);
      const handles: string[] = [];
      for (const userId of [person, other, other, other, person]) {
        handles.push(await put(store, userId, 1));
      }

      expect(await left(store, handles)).toEqual([0, 2, 3, 4]);
    });

    it("drops several for a large one, which stays however large it is", async () => {
      const store = await openSmall(3 * 256);
      const handles = [await put(store, person, 1), await put(store, other, 1)];

      handles.push(
        await put(
          store,
          person,
          Array.from({ length: 400 }, (_, n) => large(n)),
        ),
      );

      expect(bytesOf(person, "")).toBeLessThan(256);
      expect(await left(store, handles)).toEqual([2]);
    });

    it("gives the room of what is over or removed to others", async () => {
      let now = Date.now();
      const store = await openSmall(3 * 256, () => now);
      const handles = [await put(store, person, 1)];
      now += 60_000;
      for (let number = 0; number < 3; number += 1) handles.push(await put(store, person, number));
      expect(await left(store, handles)).toEqual([1, 2, 3]);

      await store.remove(handles[2] ?? "");
      handles.push(await put(store, person, 4));

      expect(await left(store, handles)).toEqual([1, 3, 4]);
    });

    it("stays within its bytes, and takes from nobody who has less than a fair part", async () => {
      const people = ["1", "2", "3", "4"].map((digit) => digit.repeat(18));
      const maxBytes = 8_000;
      const store = await openSmall(maxBytes);
      const random = seeded(seed);
      let all: { readonly handle: string; readonly userId: string; readonly bytes: number }[] = [];
      for (let number = 0; number < 120; number += 1) {
        const userId = people[Math.floor(random() * people.length)] ?? person;
        const state = "x".repeat(random() * 400);
        const bytes = Math.max(256, JSON.stringify({ guildId: guild, userId, state }).length);
        const handle = await put(store, userId, state);
        const before = [...all, { handle, userId, bytes }];
        const there = await left(
          store,
          before.map((one) => one.handle),
        );
        all = there.flatMap((at) => before[at] ?? []);
        const gone = before.filter((one) => !all.includes(one));
        const sum = (some: typeof all) => some.reduce((total, one) => total + one.bytes, 0);

        expect(sum(all), `seed ${seed}`).toBeLessThanOrEqual(maxBytes);
        expect(all.at(-1)?.handle).toBe(handle);
        for (const one of gone) {
          const theirs = before.filter((each) => each.userId === one.userId);
          expect(sum(theirs), `seed ${seed}`).toBeGreaterThanOrEqual(maxBytes / 4);
        }
      }
    });

    it("takes nobody's buttons for another's many, nor another guild's, nor a queue's", async () => {
      const store = await openSmall(64 * 1_024);
      const card = "card".padEnd(22, "-");
      await store.putAs(card, { guildId: guild, userId: person, state: "x".repeat(300) });
      const own = { guildId: guild, userId: other, state: "mine" };
      const elsewhere = { guildId: otherGuild, userId: person, state: "there" };
      const quiet = [await store.put(own, 60_000), await store.put(elsewhere, 60_000)];

      for (let number = 0; number < 400; number += 1) {
        await store.put({ guildId: guild, userId: person, state: "x".repeat(300) }, 60_000);
      }

      for (const handle of [card, ...quiet]) {
        expect(await store.read(handle)).toMatchObject({ state: "found" });
      }
    });

    it("keeps within the room, and everybody's newest, when many write at once", async () => {
      const { url } = await kind.fresh();
      const databases = [await openDatabase({ url }), await openDatabase({ url })];
      onTestFinished(async () => {
        for (const one of databases) await one.close();
      });
      const stores = databases.map((one) => createContinuations(createRecords(one), 20 * 256));

      const handles = await Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const store = stores[n % 2] as (typeof stores)[number];
          return put(store, n % 4 === 0 ? other : person, n);
        }),
      );
      const last = await put(stores[0] as (typeof stores)[number], person, "last");

      const there = await left(stores[0] as (typeof stores)[number], [...handles, last]);
      expect(there).toContain(40);
      expect(there.length).toBeLessThanOrEqual(20);
    });

    it("packs a list's buttons, which say nearly the same each", async () => {
      const place = await kind.fresh();
      const { continuations } = await openFor(place);
      const press = { action: "search.turn", state: { query: { q: "light" }, tokens: [null] } };
      const state = Array.from({ length: 25 }, (_, chunk) => ({ ...press, chunk }));

      const handle = await continuations.put({ guildId: guild, userId: person, state }, 60_000);

      const stored = (await place.get(`continuation:${handle}`)) ?? "";
      expect(stored.length).toBeLessThan(JSON.stringify(state).length / 4);
      expect(await continuations.read(handle)).toMatchObject({ value: { state } });
    });

    it("reads what was stored before anything was packed", async () => {
      const place = await kind.fresh();
      const handle = "a".repeat(22);
      const state = [{ text: "x".repeat(2_000) }];
      const { continuations } = await openFor(place);
      await place.put(
        `continuation:${handle}`,
        JSON.stringify({ value: { guildId: guild, userId: person, state } }),
      );

      expect(await continuations.read(handle)).toMatchObject({ value: { state } });
    });
  });
}

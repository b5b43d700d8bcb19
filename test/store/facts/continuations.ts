import { describe, expect, it, onTestFinished } from "vitest";
import { createContinuations } from "../../../src/store/continuations.ts";
import { openBackend } from "../../../src/store/open-backend.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, openFor, otherGuild } from "../setup.ts";

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
      expect(await continuations.read(handle)).toEqual({ state: "found", value: continuation });
      await continuations.remove(handle);
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it.skipIf(kind.hasOwnClock)(
      "forgets one when its time is over, by the store's clock",
      async () => {
        let now = Date.now();
        const { continuations } = await openFor({ ...(await kind.fresh()), now: () => now });
        const handle = await continuations.put(continuation, 60_000);

        now += 59_999;
        expect(await continuations.read(handle)).toMatchObject({ state: "found" });
        now += 1;
        expect(await continuations.read(handle)).toEqual({ state: "absent" });
      },
    );

    it("answers what was put under a chosen handle, and the last of what was put there", async () => {
      const { continuations } = await openFor(await kind.fresh());
      const handle = "-_chosenBefore01234567";

      await continuations.putAs(handle, { ...continuation, state: "first" });
      await continuations.putAs(handle, continuation);

      expect(await continuations.read(handle)).toEqual({ state: "found", value: continuation });
      await continuations.remove(handle);
      expect(await continuations.read(handle)).toEqual({ state: "absent" });
    });

    it.skipIf(kind.hasOwnClock)("keeps that for 61 days, counted from the last time", async () => {
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
    const kibibyte = 1_024;

    /** With room for 64 KiB a guild: a few replies in each of its lists. */
    async function openSmall() {
      const { url } = await kind.fresh();
      const backend = await openBackend(url, {});
      onTestFinished(() => backend.close());
      const deps = { backend, now: Date.now, maxGuildBytes: 64 * kibibyte };
      return { ...createContinuations(deps), another: () => createContinuations(deps) };
    }

    it("keeps a guild within its bytes, whoever writes, and the last of each person", async () => {
      const store = await openSmall();
      const processes = [store, store.another()];
      const handles: string[] = [];
      for (let number = 0; number < 400; number += 1) {
        const state = { number, text: "x".repeat(300) };
        const writer = processes[number % 2] ?? store;
        handles.push(await writer.put({ guildId: guild, userId: person, state }, 60_000));
      }
      const reads = await Promise.all(handles.map(store.read));
      const kept = handles.filter((_, at) => reads[at]?.state === "found");

      // Two have room in each list.
      const lists = Map.groupBy(handles, (handle) => handle[0]);
      expect(kept.toSorted()).toEqual(
        [...lists.values()].flatMap((all) => all.slice(-2)).toSorted(),
      );
      expect(kept).toContain(handles.at(-1));
    });

    it("takes nobody's buttons for another's many, nor another guild's, nor a queue's", async () => {
      const store = await openSmall();
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

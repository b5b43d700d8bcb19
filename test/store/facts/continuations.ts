import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, openFor } from "../setup.ts";

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
  });
}

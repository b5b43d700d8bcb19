import { afterAll, describe, expect, it } from "vitest";
import { kinds } from "../../support/databases/each-kind.ts";
import { seed } from "../../support/random.ts";
import { killDuringReseal } from "./reseal-kills.ts";

const kills = 6;

for (const { name, make } of kinds) {
  describe.skipIf(!make)(`re-sealing over ${name}`, () => {
    const kind = make?.();
    afterAll(() => kind?.stop());

    it(`loses no acknowledged record when it is killed ${kills} times, and none becomes unreadable`, async () => {
      const { url = "" } = (await kind?.fresh()) ?? {};

      const result = await killDuringReseal({ url, kills, seed });

      const { acknowledged, halfway, lost, left } = result;
      expect(lost, `seed ${seed}`).toEqual([]);
      expect(left).toBe(0);
      expect(acknowledged, `seed ${seed}`).toBeGreaterThan(kills * 20);
      expect(halfway, `seed ${seed}`).toBeGreaterThan(kills / 2);
    });
  });
}

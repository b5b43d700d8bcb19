import { join } from "node:path";
import { expect, it } from "vitest";
import { seed } from "../../support/random.ts";
import { temporaryFolder } from "../setup.ts";
import { killDuringReseal } from "./reseal-kills.ts";

const kills = 6;

it(`loses no acknowledged record when re-sealing is killed ${kills} times, and none becomes unreadable`, {
  timeout: 180_000,
}, async () => {
  const url = `sqlite:${join(temporaryFolder(), "a.sqlite")}`;

  const result = await killDuringReseal({ url, kills, seed });

  const { acknowledged, halfway, lost, left } = result;
  expect(lost, `seed ${seed}`).toEqual([]);
  expect(left).toBe(0);
  expect(acknowledged, `seed ${seed}`).toBeGreaterThan(kills * 20);
  expect(halfway, `seed ${seed}`).toBeGreaterThan(kills / 2);
});

import { describe, expect, it } from "vitest";
import { createBreaker } from "../../../src/discord/wire/breaker.ts";

describe("createBreaker", () => {
  it("stays closed while refusals are few", () => {
    const breaker = createBreaker(() => 0);

    breaker.note({ count: 4500, remainingTime: 1000 });

    expect(breaker.isOpen()).toBe(false);
  });

  it("opens at half of what brings the ban, until the window is over", () => {
    let now = 0;
    const breaker = createBreaker(() => now);

    breaker.note({ count: 5000, remainingTime: 1000 });
    const during = breaker.isOpen();
    now = 1000;

    expect([during, breaker.isOpen()]).toEqual([true, false]);
  });
});

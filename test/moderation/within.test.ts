import { describe, expect, it } from "vitest";
import { within } from "../../src/moderation/within.ts";
import { createStillClock } from "./support/still-clock.ts";

const never = () => new Promise<never>(() => {});

describe("within", () => {
  it("answers what the work answers, and leaves no timer behind", async () => {
    const clock = createStillClock(0);

    expect(await within(clock, { ms: 1_000 }, async () => 7)).toBe(7);
    await clock.pass(2_000);
  });

  it("waits no longer than it may, and ends the work by its signal", async () => {
    const clock = createStillClock(0);
    let given: AbortSignal | undefined;
    const waiting = within(clock, { ms: 1_000 }, (signal) => {
      given = signal;
      return never();
    });
    const failed = expect(waiting).rejects.toMatchObject({ code: "timeout", outcome: "unknown" });

    await clock.pass(999);
    expect(given?.aborted).toBe(false);
    await clock.pass(1);

    await failed;
    expect(given?.aborted).toBe(true);
  });

  it("ends with the caller's signal, also when that has ended before", async () => {
    const clock = createStillClock(0);
    const enough = new AbortController();
    const { signal } = enough;
    const waiting = within(clock, { ms: 1_000, signal }, never);

    enough.abort(new Error("enough"));

    await expect(waiting).rejects.toThrow("enough");
    await expect(within(clock, { ms: 1_000, signal }, never)).rejects.toThrow("enough");
  });
});

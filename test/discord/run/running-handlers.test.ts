import { describe, expect, it } from "vitest";
import { createRunningHandlers } from "../../../src/discord/run/running-handlers.ts";

const owner = { guildId: "g", userId: "u", rank: "member" } as const;

describe("createRunningHandlers", () => {
  it("are cancelled by their author", () => {
    const running = createRunningHandlers();
    const { signal } = running.start("1", owner);

    expect(running.cancel("1", owner)).toBe(true);
    expect(signal.reason).toMatchObject({ code: "cancelled" });
  });

  it("are not cancelled by somebody else", () => {
    const running = createRunningHandlers();
    const { signal } = running.start("1", owner);

    expect(() => running.cancel("1", { ...owner, userId: "other" })).toThrow("somebody else");
    expect(signal.aborted).toBe(false);
  });

  it("are unknown from another server", () => {
    const running = createRunningHandlers();
    running.start("1", owner);

    expect(() => running.cancel("1", { ...owner, guildId: "elsewhere" })).toThrow(
      expect.objectContaining({ code: "too_old" }),
    );
  });

  it("are waited for at a shutdown", async () => {
    const running = createRunningHandlers();
    const run = running.start("1", owner);
    setTimeout(() => run.end(), 30);

    await running.drain(5000);

    expect(run.signal.aborted).toBe(false);
  });

  it("are stopped when the shutdown can't wait longer", async () => {
    const running = createRunningHandlers();
    const { signal } = running.start("1", owner);

    await running.drain(20);

    expect(signal.reason).toMatchObject({ code: "restarting" });
  });
});

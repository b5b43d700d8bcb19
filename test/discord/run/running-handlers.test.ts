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

  it("are stopped when the process ends, and so are those that begin after that", () => {
    const running = createRunningHandlers();
    const before = running.start("1", owner).signal;

    running.stopAll();
    const after = running.start("2", owner).signal;

    expect(before.reason).toMatchObject({ code: "restarting" });
    expect(after.reason).toMatchObject({ code: "restarting" });
  });
});

import { describe, expect, it } from "vitest";
import { createJobs } from "../../../src/discord/run/jobs.ts";

const owner = { guildId: "g", userId: "u", rank: "member" } as const;

describe("jobs", () => {
  it("are cancelled by their author", () => {
    const jobs = createJobs();
    const { signal } = jobs.start("1", owner);

    expect(jobs.cancel("1", owner)).toBe(true);
    expect(signal.reason).toMatchObject({ code: "cancelled" });
  });

  it("are not cancelled by somebody else", () => {
    const jobs = createJobs();
    const { signal } = jobs.start("1", owner);

    expect(() => jobs.cancel("1", { ...owner, userId: "other" })).toThrow("somebody else");
    expect(signal.aborted).toBe(false);
  });

  it("are unknown from another server", () => {
    const jobs = createJobs();
    jobs.start("1", owner);

    expect(() => jobs.cancel("1", { ...owner, guildId: "elsewhere" })).toThrow(
      expect.objectContaining({ code: "too_old" }),
    );
  });

  it("are waited for at a shutdown", async () => {
    const jobs = createJobs();
    const job = jobs.start("1", owner);
    setTimeout(() => job.end(), 30);

    await jobs.drain(5000);

    expect(job.signal.aborted).toBe(false);
  });

  it("are stopped when the shutdown can't wait longer", async () => {
    const jobs = createJobs();
    const { signal } = jobs.start("1", owner);

    await jobs.drain(20);

    expect(signal.reason).toMatchObject({ code: "restarting" });
  });
});

import { describe, expect, it } from "vitest";
import { runCommands } from "../store/failing-commands.ts";
import { seed } from "../support/random.ts";

const count = 600;

describe(`${count} commands while a twentieth of the store's calls fail (seed ${seed})`, () => {
  it("are all answered, never that something is missing, and change nothing", async () => {
    const { failures, refused, served, unanswered, misleading, changed } = await runCommands(
      count,
      seed,
    );

    expect(failures).toBeGreaterThan(count * 0.1);
    expect(refused).toBeGreaterThan(count * 0.05);
    expect(served).toBeGreaterThan(count * 0.1);
    expect({ unanswered, misleading, changed }).toEqual({
      unanswered: 0,
      misleading: [],
      changed: [],
    });
  });
});

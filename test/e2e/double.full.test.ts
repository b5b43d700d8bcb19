import { describe, expect, it } from "vitest";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { runDouble } from "../support/double/run-double.ts";

describe.skipIf(findPostgres() === undefined)("two processes that receive the same", () => {
  it("do everything once, although answers of Discord are lost", async () => {
    const result = await runDouble({ count: 100, seed: 1 });

    expect(result).toMatchObject({ doubled: [], missing: [], unanswered: [] });
    expect(result.repeated).toBeGreaterThan(10);
  });
});

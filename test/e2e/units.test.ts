import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog, createSecrets } from "../../src/log.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { asMessage, isEphemeral, textOf } from "../support/stage.ts";

/**
 * The clock shows noon in Los Angeles: right after midnight there, a bucket that is used up is not blocked for the day.
 */
const shift = Date.parse("2026-01-15T20:00:00Z") - Date.now();
const now = () => Date.now() + shift;
const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });

describe("a bucket that the service called empty", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "greenroom-units-"));
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ dataDir, now, log });
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** What the person reads, without the reference, which differs for each failure. */
  async function search(): Promise<string> {
    const message = asMessage(await sandbox.user("member").command("search", { query: "light" }));
    expect(isEphemeral(message)).toBe(true);
    return textOf(message).replace(/Reference \w+/u, "");
  }

  it("is refused once by the service and then by the bot, in the same words", async () => {
    sandbox.video.quota.exhaust("searches");
    const refusal = await search();
    sandbox.video.faults.add({ kind: "answer", status: 500, path: /\/search/u });

    const known = await search();

    sandbox.video.faults.clear();
    expect(refusal).toContain("Today’s searches are used up");
    expect(known).toBe(refusal);
  });

  it("stays closed after a restart, and what else is asked goes on", async () => {
    const before = await search();
    // The bot may log in to Discord only once in five seconds.
    sandbox.time.pass(10_000);
    await sandbox.close();
    // The new stand-ins have full quota buckets; the store keeps the same keys.
    sandbox = await startSandbox({ dataDir, now, log });

    const after = await search();

    expect(after).toBe(before);
    const shown = await sandbox.user("member").command("videos show", { video: "aaaaaaaaaaa" });
    expect(textOf(asMessage(shown))).toContain("Video not found");
  });
});

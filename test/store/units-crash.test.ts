import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { createUnits, projectOfKey } from "../../src/video/index.ts";
import { seed, seeded } from "../support/random.ts";
import { masterKey, temporaryFolder } from "./setup.ts";

const spenderFile = fileURLToPath(new URL("unit-spender.ts", import.meta.url));
/** As in the spender. */
const noon = Date.parse("2026-01-15T20:00:00Z");
const limit = 400_000;

/** Lets a process spend for a while, kills it, and answers the last it said. */
async function spendAndKill(args: readonly string[], ms: number) {
  const child = spawn(process.execPath, [spenderFile, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { spent: 0, empty: false, errors: "" };
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    if (line === "empty") said.empty = true;
    else said.spent = Number(line.split(" ")[1]);
  });
  child.stderr.on("data", (data) => {
    said.errors += String(data);
  });
  const end = once(child, "close");
  await Promise.race([once(lines, "line"), end]);
  await wait(ms);
  child.kill("SIGKILL");
  await end;
  return said;
}

describe("units whose process is killed", () => {
  const kills = 8;

  it(`lose less than the decision allows and no empty bucket in ${kills} kills (seed ${seed})`, {
    timeout: 60_000,
  }, async () => {
    const random = seeded(seed);
    const path = join(temporaryFolder(), "a.sqlite");
    const tolerated = limit * 0.01;
    let emptied = 0;

    for (let kill = 0; kill < kills; kill++) {
      const name = `project ${kill}`;
      const emptyAfter = String(1 + Math.floor(random() * 60));
      const said = await spendAndKill([path, name, emptyAfter], random() * 150);
      expect(said.errors).toBe("");

      const store = await openStore({ url: `sqlite:${path}`, keys: [masterKey("k1")] });
      const units = createUnits({
        records: store.units,
        now: () => noon,
        limits: { units: limit },
      });
      const left = await units.left(projectOfKey(name));
      await store.close();

      expect(said.spent - left.units.used).toBeLessThan(tolerated);
      if (said.empty) expect(left.searches.blocked).toBe(true);
      if (said.empty) emptied += 1;
    }
    expect(emptied).toBeGreaterThan(0);
  });
});

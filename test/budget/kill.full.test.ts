import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { projectOfKey } from "../../src/budget/index.ts";
import { seed, seeded } from "../support/random.ts";
import { describeEach } from "./rig.ts";

const spenderFile = fileURLToPath(new URL("killed-spender.ts", import.meta.url));
const dearest = 50;
const kills = 4;

/** What a process printed until it ended, or was killed after `killAfter` lines. */
async function spend(args: readonly string[], killAfter: number) {
  const child = spawn(process.execPath, [spenderFile, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { spent: 0, empty: false, refused: false, errors: "" };
  const lines = createInterface({ input: child.stdout });
  let calls = 0;
  lines.on("line", (line) => {
    calls += 1;
    if (calls >= killAfter) child.kill("SIGKILL");
    if (line === "empty") said.empty = true;
    else if (line === "refused") said.refused = true;
    else said.spent = Number(line.split(" ")[1]);
  });
  child.stderr.on("data", (data) => {
    said.errors += String(data);
  });
  const end = once(child, "close");
  await end;
  return said;
}

describeEach((openRig) => {
  describe("two processes that spend of one project", () => {
    it(`never overspend, and lose nothing in ${kills} kills (seed ${seed})`, async () => {
      const random = seeded(seed);
      const { open, place } = await openRig();
      const spending = await open();
      let emptied = 0;

      for (let kill = 0; kill < kills; kill++) {
        const name = `project ${kill}`;
        const units = 200 + Math.floor(random() * 1_500);
        const [first, second] = await Promise.all(
          [1, 2].map(() => {
            const emptyAfter = 1 + Math.floor(random() * 40);
            const args = [place.url, name, String(units), String(emptyAfter)];
            return spend(args, 1 + Math.floor(random() * 80));
          }),
        );
        if (first === undefined || second === undefined) throw new TypeError("two were started");
        const who = { guildId: "111111111111111111", userId: "1", command: "test" };
        const left = await spending.account(projectOfKey(name), who).left();
        const said = first.spent + second.spent;

        expect(first.errors + second.errors).toBe("");
        expect(left.units.used).toBeLessThanOrEqual(units);
        expect(left.units.used).toBeGreaterThanOrEqual(said);
        // What was counted before the kill but not printed any more.
        expect(left.units.used - said).toBeLessThanOrEqual(2 * dearest);
        if (first.refused || second.refused) {
          expect(left.units.used).toBeGreaterThan(units - dearest);
        }
        const isEmpty = first.empty || second.empty;
        if (isEmpty) expect(left.searches.blocked).toBe(true);
        if (isEmpty) emptied += 1;
      }
      expect(emptied).toBeGreaterThan(0);
    });

    it("spend all there is and not a unit more", async () => {
      const { open, place } = await openRig();
      const args = [place.url, "all", "1000", "0"];

      const both = await Promise.all([spend(args, 60_000), spend(args, 60_000)]);

      expect(both.map(({ refused }) => refused)).toEqual([true, true]);
      const spending = await open();
      const lines = await spending.unitsSpent("111111111111111111", 1);
      const sum = lines.reduce((total, { spent }) => total + spent, 0);
      expect(both.reduce((total, { spent }) => total + spent, 0)).toBe(sum);
      expect(sum).toBeLessThanOrEqual(1000);
      expect(sum).toBeGreaterThan(1000 - dearest);
    });
  });
});

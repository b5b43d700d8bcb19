import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/database/index.ts";
import { temporaryFolder } from "../store/setup.ts";
import { openFor } from "./open.ts";

const source = new URL("../../src/database/index.ts", import.meta.url).href;

/** A process that keeps the file locked until it is killed. */
async function holder(url: string) {
  const program = `import { openDatabase } from ${JSON.stringify(source)};
    await openDatabase({ url: ${JSON.stringify(url)}, isAlone: true });
    console.log("open"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

describe("a SQLite file that a process has for itself", () => {
  it("is refused to another that wants the same, and open to programs beside it", async () => {
    const path = join(temporaryFolder(), "a.sqlite");
    await holder(`sqlite:${path}`);
    const link = join(temporaryFolder(), "b.sqlite");
    symlinkSync(path, link);

    const refused = await Promise.allSettled(
      [path, link].map((one) => openDatabase({ url: `sqlite:${one}`, isAlone: true })),
    );
    const beside = await openFor({ url: `sqlite:${path}` });

    for (const [n, one] of refused.entries()) {
      expect(one).toMatchObject({
        reason: {
          code: "store_in_use",
          message: expect.stringContaining([path, link][n] ?? ""),
          hint: expect.stringContaining("STORE_URL"),
          facts: { mayPass: true },
        },
      });
    }
    await expect(beside.ping()).resolves.toBeUndefined();
  });

  it("is taken by the next as soon as that process is killed", async () => {
    const url = `sqlite:${join(temporaryFolder(), "a.sqlite")}`;
    const child = await holder(url);

    const opening = openDatabase({ url, isAlone: true });
    child.kill("SIGKILL");
    const database = await opening;

    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
    const again = await openDatabase({ url, isAlone: true });
    await again.close();
  });

  it("needs no lock in memory", async () => {
    const all = await Promise.all(
      [1, 2].map(() => openDatabase({ url: "sqlite::memory:", isAlone: true })),
    );

    for (const database of all) await database.close();
  });
});

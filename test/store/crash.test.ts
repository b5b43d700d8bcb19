import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/index.ts";
import type { CredentialKind } from "../../src/store/types.ts";
import { masterKey, temporaryFolder } from "./setup.ts";

const writer = fileURLToPath(new URL("writer.ts", import.meta.url));
const keys = [masterKey("k1")];

/** A process that writes; `acknowledged` grows with each line it says. */
function startWriter(...args: readonly string[]) {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const acknowledged: number[] = [];
  const errors: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => acknowledged.push(Number(line)));
  child.stderr.on("data", (data) => errors.push(String(data)));
  return { child, lines, acknowledged, errors };
}

async function closed(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, "close");
  return code;
}

async function missingFrom(path: string, numbers: readonly number[], kind: CredentialKind) {
  const store = await openStore({ url: `sqlite:${path}`, keys });
  const missing: string[] = [];
  for (const n of numbers) {
    const read = await store.credentials.read(String(100_000_000_000_000_000n + BigInt(n)), kind);
    const secret = read.state === "found" ? read.value.secret : read.state;
    if (secret !== `secret-of-${n}`) missing.push(`${n}: ${secret}`);
  }
  await store.close();
  return missing;
}

describe("a store whose process is killed", () => {
  const kills = 15;

  it(`has every acknowledged record after ${kills} kills during writes`, {
    timeout: 60_000,
  }, async () => {
    const seed = 20;
    let state = seed;
    const path = join(temporaryFolder(), "a.sqlite");
    const all: number[] = [];

    for (let kill = 0; kill < kills; kill++) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      const { child, lines, acknowledged, errors } = startWriter(path, String(kill * 100_000));
      const end = closed(child);
      await Promise.race([once(lines, "line"), end]);
      await wait((state / 2_147_483_648) * 80);
      child.kill("SIGKILL");
      await end;
      expect(errors.join("")).toBe("");
      all.push(...acknowledged);
    }

    expect(all.length, `seed ${seed}`).toBeGreaterThan(kills * 2);
    expect(await missingFrom(path, all, "video-key"), `seed ${seed}`).toEqual([]);
  });
});

describe("a store that two processes write", () => {
  it("waits for the other's lock and loses nothing, from the first opening on", {
    timeout: 60_000,
  }, async () => {
    const path = join(temporaryFolder(), "new", "a.sqlite");
    const kinds = ["video-key", "background-key", "video-key"] as const;
    const writers = kinds.map((kind, n) => startWriter(path, String(n * 1000), "150", kind));

    const codes = await Promise.all(writers.map(({ child }) => closed(child)));

    expect(writers.flatMap(({ errors }) => errors).join("")).toBe("");
    expect(codes).toEqual([0, 0, 0]);
    for (const [n, { acknowledged }] of writers.entries()) {
      expect(acknowledged).toHaveLength(150);
      expect(await missingFrom(path, acknowledged, kinds[n] ?? "video-key")).toEqual([]);
    }
  });
});

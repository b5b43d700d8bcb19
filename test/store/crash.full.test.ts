import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CredentialKind } from "../../src/store/index.ts";
import { openStore } from "../../src/store/index.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { seed } from "../support/random.ts";
import { closed, killServer, killWriters, lostOf, startWriter } from "./kills.ts";
import { masterKey, temporaryFolder } from "./setup.ts";

async function missingFrom(url: string, numbers: readonly number[], kind: CredentialKind) {
  const store = await openStore({ url, keys: [masterKey("k1")] });
  const missing = await lostOf(store, numbers, kind);
  await store.close();
  return missing;
}

describe(`a store that is killed during writes (seed ${seed})`, () => {
  it("has every acknowledged record after its process was killed 5 times", async () => {
    const url = `sqlite:${join(temporaryFolder(), "a.sqlite")}`;

    const { acknowledged, lost, torn } = await killWriters(url, 5, seed);

    expect(acknowledged).toBeGreaterThan(10);
    expect({ lost, torn }).toEqual({ lost: [], torn: [] });
  });

  it.skipIf(!findPostgres())(
    "has every acknowledged record after PostgreSQL was killed 3 times",
    async () => {
      const server = await startPostgres();
      onTestFinished(server.stop);

      const { acknowledged, lost, torn } = await killServer(server, 3, seed);

      expect(acknowledged).toBeGreaterThan(24);
      expect({ lost, torn }).toEqual({ lost: [], torn: [] });
    },
  );
});

describe("a store that two processes write", () => {
  it("waits for the other's lock and loses nothing, from the first opening on", async () => {
    const url = `sqlite:${join(temporaryFolder(), "new", "a.sqlite")}`;
    const kinds = ["video-key", "background-key", "video-key"] as const;
    const writers = kinds.map((kind, n) => startWriter(url, String(n * 1000), "150", kind));
    onTestFinished(() => writers.forEach(({ child }) => void child.kill("SIGKILL")));

    const codes = await Promise.all(writers.map(({ child }) => closed(child)));

    expect(writers.flatMap(({ errors }) => errors).join("")).toBe("");
    expect(codes).toEqual([0, 0, 0]);
    for (const [n, { acknowledged }] of writers.entries()) {
      expect(acknowledged).toHaveLength(150);
      expect(await missingFrom(url, acknowledged, kinds[n] ?? "video-key")).toEqual([]);
    }
  });
});

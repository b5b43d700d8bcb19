import { findPostgres } from "./databases/postgres-server.ts";
import { startForAll } from "./databases/shared-server.ts";
import { findChromium } from "./find-chromium.ts";

/**
 * Vitest's global set-up of `npm run test:full`: starts PostgreSQL for all files, and at the end names what this
 * machine lacks.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const stop = await startForAll();
  return async () => {
    await stop?.();
    const missing = [
      ...(findPostgres() === undefined ? ["PostgreSQL"] : []),
      ...(findChromium() === undefined ? ["Chromium"] : []),
    ];
    for (const name of missing) {
      console.log(`${name} is not installed: the tests that need it were skipped.`);
    }
  };
}

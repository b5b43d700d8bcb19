import type { BenchRow, BenchRows } from "../bench/row.ts";
import { atExpiry, troubles } from "../oauth/expiry.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = { refresh };

const seeds = 5;
const size = { credentials: 50, callers: 5_000, processes: 4 } as const;
/** With the endpoint in trouble for most of the time, and an impatience that makes its delays count as cuts. */
const storm = { rounds: 6, silenceMs: 300, faults: troubles } as const;

/**
 * Four processes with one store: thousands of callers at the expiry of every token, with nothing wrong and then in a
 * storm at the token endpoint. One refresh a token, and no consent called over that lives.
 */
async function refresh(): Promise<readonly BenchRow[]> {
  let most = 0;
  let lost = 0;
  let failed = 0;
  for (let n = 0; n < seeds; n += 1) {
    const calm = await atExpiry({ ...size, seed: seed + n });
    await calm.close();
    const stormy = await atExpiry({ ...size, ...storm, seed: seed + n });
    await stormy.close();
    most = Math.max(most, ...calm.refreshes);
    lost += calm.lost + stormy.lost;
    failed += calm.failedAtLast + stormy.failedAtLast;
  }
  return [
    { name: "refresh", value: most, unit: "requests", goal: 1, ok: most === 1, seed },
    { name: "refresh.lost", value: lost, unit: "grants", goal: 0, ok: lost === 0, seed },
    { name: "refresh.failed", value: failed, unit: "calls", goal: 0, ok: failed === 0, seed },
  ];
}

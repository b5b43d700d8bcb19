import type { BenchRow, BenchRows } from "../bench/row.ts";
import { atExpiry, troubles } from "../oauth/expiry.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = { refresh };

const seeds = 5;
const size = { credentials: 50, callers: 5_000, processes: 4 } as const;
/** The token endpoint fails most of the time, and the low limit makes its delays count as cut connections. */
const storm = { rounds: 6, silenceMs: 300, faults: troubles } as const;

/**
 * Four processes with one store, and thousands of callers when every token expires: first without faults, then while
 * the token endpoint fails. There must be one refresh for each token, and no consent may be reported as gone that still
 * exists.
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

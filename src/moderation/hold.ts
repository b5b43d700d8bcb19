import type { Clock } from "../clock.ts";
import type { Lease, Store } from "../store/index.ts";

/** Who dies holds up the next one for so long. */
const holdMs = 20_000;
const renewEveryMs = 6_000;

export interface Held {
  /** Whether nobody else can have it. */
  isHeld(): boolean;
}

/**
 * Does something while holding a lease, and answers undefined where somebody else holds it.
 * @throws ServiceError `store_unavailable`; what the work throws.
 */
export async function holding<T>(
  { leases, clock }: { readonly leases: Store["leases"]; readonly clock: Clock },
  name: string,
  work: (held: Held) => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const takenAt = clock.now();
  const lease = await leases.take(name, holdMs);
  if (lease === undefined) return undefined;
  let heldUntil = takenAt + holdMs;
  let stop = () => {};
  let isOver = false;

  function renewLater(): void {
    stop = clock.after(renewEveryMs, async () => {
      const at = clock.now();
      const isRenewed = await renewed(lease as Lease);
      if (isRenewed === true) heldUntil = at + holdMs;
      if (isRenewed === false) heldUntil = 0;
      if (!isOver && isRenewed !== false) renewLater();
    });
  }

  renewLater();
  try {
    return { value: await work({ isHeld: () => clock.now() < heldUntil - renewEveryMs }) };
  } finally {
    isOver = true;
    stop();
    await lease.release();
  }
}

/** Undefined where the store does not tell. */
async function renewed(lease: Lease): Promise<boolean | undefined> {
  return lease.renew(holdMs).catch(() => undefined);
}

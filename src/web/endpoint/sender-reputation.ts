import { minuteMs } from "../../clock.ts";
import { createRequestCounts, type RequestLimits } from "../listener/request-limiter.ts";
import { findNetworks } from "../listener/visitor-address.ts";

/** Wrong signatures per minute. Checking one costs about a tenth of a millisecond. */
const wrongLimits: RequestLimits = { visitor: 60, all: 3_000 };
/** Discord checks the address with a wrong signature now and then, and comes from few addresses. */
const knownMs = 3_600_000;
const maxKnown = 1_000;
const maxBlocked = 10_000;

/**
 * Who signs rightly, and who does not. After too many wrong signatures a visitor's requests are refused unchecked until the minute
 * is over; but never those of a visitor who signed rightly within the last hour, of one who was not here before, or of one that
 * the proxy does not name. So nobody else's wrong signatures can lock Discord out.
 */
export function createSenderReputation(now: () => number) {
  const count = createRequestCounts(wrongLimits, now);
  /** Until when they count as known; the one that has been silent longest is first. */
  const known = new Map<string, number>();
  /** Visitors, and the networks of those who come from many addresses. */
  const blocked = new Set<string>();
  let minute = 0;

  const isKnown = (visitor: string) => (known.get(visitor) ?? 0) > now();
  return {
    isKnown,
    isBlocked(visitor: string | undefined): boolean {
      const current = Math.floor(now() / minuteMs);
      if (current !== minute) {
        minute = current;
        blocked.clear();
      }
      if (visitor === undefined || blocked.size === 0 || isKnown(visitor)) return false;
      return Object.values(findNetworks(visitor)).some((network) => blocked.has(network));
    },
    addRight(visitor: string | undefined): void {
      if (visitor === undefined) return;
      known.delete(visitor);
      known.set(visitor, now() + knownMs);
      if (known.size <= maxKnown) return;
      const [oldest = ""] = known.keys();
      known.delete(oldest);
    },
    addWrong(visitor: string | undefined): void {
      const over = visitor === undefined ? undefined : count(visitor);
      if (visitor === undefined || over === undefined || blocked.size >= maxBlocked) return;
      blocked.add(over === "all" ? visitor : over);
    },
  };
}

import { randomBytes } from "node:crypto";
import type { Backend } from "./backend.ts";
import { change } from "./failure.ts";
import { checkLeaseName } from "./ids.ts";
import type { Leases } from "./types.ts";

interface Held {
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Leases end by themselves, so that a process that was killed holds up nobody for long. */
export function createLeases({ update }: Backend, now: () => number): Leases {
  return {
    take: (name, holdMs) =>
      change(async () => {
        const at = { namespace: "lease", key: checkLeaseName(name) } as const;
        const holder = randomBytes(8).toString("hex");
        const mine: Held = { holder, until: now() + holdMs };
        const held = await update(at, (value) => (isHeld(value, now()) ? value : mine), holdMs);
        if (held.holder !== holder) return undefined;
        const renew = (ms: number) =>
          change(async () => {
            const longer: Held = { holder, until: now() + ms };
            const then = await update(at, (value) => (isOf(value, holder) ? longer : value), ms);
            return isOf(then, holder);
          });
        const release = async () => {
          // Expires by itself; the store that failed here may be back by then.
          await update(at, (value) => (isOf(value, holder) ? undefined : value), holdMs).catch(
            () => undefined,
          );
        };
        return { renew, release };
      }),
  };
}

function isHeld(value: unknown, now: number): value is Held {
  return value !== undefined && (value as Held).until > now;
}

function isOf(value: unknown, holder: string): boolean {
  return (value as Held | undefined)?.holder === holder;
}

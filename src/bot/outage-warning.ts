import type { Log } from "../log.ts";

/** What fails less than this long after the last failure belongs to the same outage. */
const sameOutageMs = 60_000;

/** Warns of the first failure of each outage. */
export function createOutageWarning(
  message: string,
  { log, now }: { readonly log: Pick<Log, "warn">; readonly now: () => number },
) {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (error: unknown): void => {
    const isNew = now() - lastAt > sameOutageMs;
    lastAt = now();
    if (isNew) log.warn(message, { error });
  };
}

import type { IncomingMessage } from "node:http";

/** What may be sent to one kind of path. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** From the headers to the last byte. */
  readonly deadlineMs: number;
}

/** A lost packet is sent again within so long; only then does speed count. */
const graceMs = 3_000;
const leastBytesPerS = 4_096;

export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Whether a body that is still coming has had its time, or comes by the drop. */
export function isTooSlow(
  { elapsedMs, bytes }: { readonly elapsedMs: number; readonly bytes: number },
  { deadlineMs }: BodyLimits,
): boolean {
  return elapsedMs > deadlineMs || bytes * 1_000 < (elapsedMs - graceMs) * leastBytesPerS;
}

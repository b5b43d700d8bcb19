import type { MethodSpec } from "../methods/spec.ts";

export type Bucket = MethodSpec["bucket"];

/** What one call is about to spend. */
export interface Charge {
  readonly method: string;
  readonly bucket: Bucket;
  readonly cost: number;
}

/** How a booked call went. */
export interface Spending {
  /** Times the request reached the service; 0 gives the whole booking back. */
  readonly attempts: number;
  /** The service said that the bucket is empty for today. */
  readonly exhausted: boolean;
}

/** Counts what calls cost, before they leave. One meter belongs to one API project and one spender. */
export interface Meter {
  /** @throws LimitError `quota_exceeded` or `units_reserved`, with `retryAt`; nothing is booked then. */
  book(charge: Charge): Promise<Booking>;
}

export interface Booking {
  /** Corrects the booking; never throws. Not settled, it stays spent. */
  settle(spending: Spending): Promise<void>;
}

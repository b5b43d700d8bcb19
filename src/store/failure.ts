import { toDatabaseError } from "../database/index.ts";
import { type Outcome, ServiceError } from "../errors.ts";

/** A read has three results, because a failure must never look like an absent record. */
export type StoreRead<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly error: Error };

export async function readStore<T>(read: () => Promise<T | undefined>): Promise<StoreRead<T>> {
  try {
    const value = await read();
    return value === undefined ? { state: "absent" } : { state: "found", value };
  } catch (error) {
    return { state: "failed", error: toDatabaseError(error) };
  }
}

/** The value of a read; undefined if absent. @throws the read's error. */
export function readValue<T>(read: StoreRead<T>): T | undefined {
  if (read.state === "failed") throw read.error;
  return read.state === "found" ? read.value : undefined;
}

/** Runs a write; what it throws is a `BotError` that says whether anything was changed. */
export async function writeStore<T>(
  write: () => Promise<T>,
  outcome: Outcome = "nothing",
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw toDatabaseError(error, outcome);
  }
}

export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("the store can't be read", { code: "store_unavailable", cause });
}

/** What is stored; undefined if nothing is. @throws ServiceError `store_unavailable` */
export function storedIn<T>(read: StoreRead<T>): T | undefined {
  if (read.state === "failed") throw storeUnavailable(read.error);
  return read.state === "found" ? read.value : undefined;
}

import { describeDatabaseFailure } from "../database/index.ts";
import type { Outcome } from "../errors.ts";

/** A read has three answers, because a failure must never look like an absence. */
export type Read<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly error: Error };

/** Runs a read so that it always has one of the three answers. */
export async function answer<T>(read: () => Promise<T | undefined>): Promise<Read<T>> {
  try {
    const value = await read();
    return value === undefined ? { state: "absent" } : { state: "found", value };
  } catch (error) {
    return { state: "failed", error: describeDatabaseFailure(error) };
  }
}

/** What is there, undefined for nothing. @throws the read's error. */
export function found<T>(read: Read<T>): T | undefined {
  if (read.state === "failed") throw read.error;
  return read.state === "found" ? read.value : undefined;
}

/** Runs a write; what it throws is a `BotError` that says whether anything was changed. */
export async function change<T>(write: () => Promise<T>, outcome: Outcome = "nothing"): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw describeDatabaseFailure(error, outcome);
  }
}

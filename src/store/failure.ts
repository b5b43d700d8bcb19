import { describeDatabaseFailure } from "../database/index.ts";
import type { Outcome } from "../errors.ts";
import type { Read } from "./types.ts";

/** Runs a read so that it always has one of the three answers. */
export async function answer<T>(read: () => Promise<T | undefined>): Promise<Read<T>> {
  try {
    const value = await read();
    return value === undefined ? { state: "absent" } : { state: "found", value };
  } catch (error) {
    return { state: "failed", error: describeDatabaseFailure(error) };
  }
}

/** Runs a write; what it throws is a `BotError` that says whether anything was changed. */
export async function change<T>(write: () => Promise<T>, outcome: Outcome = "nothing"): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw describeDatabaseFailure(error, outcome);
  }
}

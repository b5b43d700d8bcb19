import type { Read } from "./types.ts";

/** What is there, undefined for nothing. @throws the read's error, because a failure must never look like an absence. */
export function found<T>(read: Read<T>): T | undefined {
  if (read.state === "failed") throw read.error;
  return read.state === "found" ? read.value : undefined;
}

import { randomBytes } from "node:crypto";
import type { Backend } from "./backend.ts";
import { answer } from "./failure.ts";
import type { Read } from "./types.ts";

/** Writes, reads and removes a row. Of a name of its own, so that two processes do not remove each other's. */
export function ping({ records }: Pick<Backend, "records">): Promise<Read<true>> {
  return answer<true>(async () => {
    const key = randomBytes(8).toString("hex");
    await records.ping.set(key, 1, 60_000);
    const read = await records.ping.get(key);
    await records.ping.delete(key);
    if (read !== 1) throw new Error("a row that was written did not come back");
    return true;
  });
}

import { createHash } from "node:crypto";
import { createSecrets } from "../../src/log.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = { "log.learn": learn };

const goal = 4;

/** Time to learn a token when thousands that begin alike are known, compared with learning one of the first. */
async function learn(): Promise<readonly BenchRow[]> {
  const secrets = createSecrets();
  const msOf = (from: number, to: number) => {
    const began = performance.now();
    for (let n = from; n < to; n += 1) {
      const end = createHash("sha512").update(`${n}`).digest("base64url").repeat(2);
      secrets.addPassing(`ya29.a0AfB_by${end}`);
    }
    return performance.now() - began;
  };
  msOf(0, 300);
  const first = msOf(300, 600);
  msOf(600, 5_700);
  const value = msOf(5_700, 6_000) / first;
  return [{ name: "log.learn", value, unit: "ratio", goal, ok: value <= goal }];
}

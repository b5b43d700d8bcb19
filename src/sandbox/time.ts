import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** The sandbox's time: the stand-ins and the bots share it, and it can be moved on. */
export interface SandboxTime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Moves it on at once. What is due by then happens at the next look, half a second later at most. Timers that run
   * already, such as those of requests, keep their real length. Of several bots on PostgreSQL, the jobs follow the clock
   * of the database, which does not move.
   */
  pass(ms: number): void;
  /** How far it is ahead of the real time, in milliseconds. */
  ahead(): number;
}

/** The file keeps how far it is ahead: what the bot has stored for later would otherwise wait after a restart. */
export function createSandboxTime(now: () => number, file: string): SandboxTime {
  let aheadMs = existsSync(file) ? Number(readFileSync(file, "utf8")) || 0 : 0;
  return {
    now: () => now() + aheadMs,
    pass: (ms) => {
      aheadMs += ms;
      writeFileSync(file, String(aheadMs));
    },
    ahead: () => aheadMs,
  };
}

import { type Held, holding } from "../hold.ts";
import { keyOf } from "../items.ts";
import type { ItemRef } from "../types.ts";
import { clearDoubts, flush } from "./flush.ts";
import { batchOf, createLine, doubtful, letGo, nextAt, put, take, type Waiting } from "./lines.ts";
import type { DecideParts, LineAt } from "./parts.ts";
import { idsOfCall } from "./times.ts";

/** Sends the decisions of one linked channel, one call after the other. */
export interface Runner extends LineAt {
  add(waiting: Waiting): void;
  /** It may have been on its way when a process ended. */
  doubt(ref: ItemRef): void;
  remove(ref: ItemRef): void;
  drop(watchId: string): void;
  /** Begins nothing more; resolves when nothing is under way. */
  stop(): Promise<void>;
  /** Cuts off what is under way, and writes nothing of it. */
  cut(): void;
}

/** While another process sends, and after failures of the store. */
const pauseMs = 1_000;
const longestPauseMs = 60_000;

export function createRunner(parts: DecideParts, at: LineAt): Runner {
  const { clock, random, log } = parts;
  const line = createLine(at);
  const ended = new AbortController();
  let isStopped = false;
  let notBefore = 0;
  let misses = 0;
  let timer: (() => void) | undefined;
  let running: Promise<void> | undefined;

  function schedule(): void {
    timer?.();
    timer = undefined;
    const next = nextAt(line);
    if (isStopped || running !== undefined || next === undefined) return;
    const waitMs = Math.max(0, Math.max(next, notBefore) - clock.now());
    timer = clock.after(waitMs, () => {
      timer = undefined;
      run();
    });
  }

  function run(): void {
    running = parts.store.guilds
      .runFor(at.guildId, turn)
      .then(
        () => {
          misses = 0;
        },
        (error: unknown) => {
          log.warn("decisions wait for another try", { ...at, error });
          pause(pauseMs * 2 ** misses);
          misses += 1;
        },
      )
      .finally(() => {
        running = undefined;
        schedule();
      });
  }

  /** Between half of it and all. */
  function pause(ms: number): void {
    notBefore = clock.now() + (Math.min(ms, longestPauseMs) * (1 + random())) / 2;
  }

  async function turn(): Promise<void> {
    const next = nextAt(line);
    // Taken back meanwhile, or joined by others.
    if (next === undefined || next > clock.now()) return;
    const name = `flush:${at.guildId}:${at.source}`;
    const held = await holding({ leases: parts.store.leases, clock }, name, work);
    if (held === undefined) pause(pauseMs);
  }

  async function work(hold: Held): Promise<void> {
    await clearDoubts(parts, line, ended.signal);
    while (!isStopped && hold.isHeld()) {
      const batch = batchOf(line, clock.now());
      if (batch === undefined) break;
      await flush(parts, line, batch, ended.signal);
    }
  }

  return {
    ...at,
    add(waiting) {
      put(line, waiting);
      const size = line.kinds.get(waiting.kind)?.size ?? 0;
      // One more only makes a call wait longer, unless it is the first or fills it.
      if (timer === undefined || size === 1 || size % idsOfCall === 0) schedule();
    },
    doubt(ref) {
      if (line.doubts.has(keyOf(ref))) return;
      doubtful(line, { ref, at: clock.now(), tries: 0 });
      schedule();
    },
    remove: (ref) => take(line, ref),
    drop: (watchId) => letGo(line, watchId),
    async stop() {
      isStopped = true;
      timer?.();
      await running;
    },
    cut: () => ended.abort(new Error("decisions were let go")),
  };
}

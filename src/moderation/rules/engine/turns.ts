import { createFairQueue, type TurnTaker } from "../../../fair-queue.ts";

interface Waiting extends TurnTaker {
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

/** Turns at something that does one work at a time: servers one after the other, each in its own order. */
export function createTurns() {
  const queue = createFairQueue<Waiting>();
  let running: Waiting | undefined;

  async function go(): Promise<void> {
    if (running !== undefined) return;
    for (;;) {
      running = queue.take(() => true);
      if (running === undefined) return;
      await running.start();
    }
  }

  return {
    run<T>(guildId: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const start = () => work().then(resolve, reject);
      queue.add({ tenant: guildId, person: "", start, reject });
      void go();
      return promise;
    },
    /** What of it waits or is under way is answered for no more. */
    forget(guildId: string): void {
      const gone = new Error("the server's records are erased");
      const waiting = queue.order().filter(({ tenant }) => tenant === guildId);
      for (const one of waiting) {
        queue.remove(one);
        one.reject(gone);
      }
      if (running?.tenant === guildId) running.reject(gone);
    },
  };
}

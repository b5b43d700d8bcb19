/** Turns at something that does one work at a time: servers one after the other, each in its own order. */
export interface Turns {
  run<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** What of it waits or is under way is answered for no more. */
  forget(guildId: string): void;
}

interface Waiting {
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

export function createTurns(): Turns {
  // A map keeps the order in which servers came, and whoever has had a turn comes last.
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, Waiting>();
  let isBusy = false;

  async function go(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let first = queues.entries().next(); !first.done; first = queues.entries().next()) {
      const [guildId, queue] = first.value;
      const next = queue.shift();
      if (next !== undefined) {
        running.set(guildId, next);
        await next.start();
        running.delete(guildId);
      }
      const rest = queues.get(guildId) ?? [];
      queues.delete(guildId);
      if (rest.length > 0) queues.set(guildId, rest);
    }
    isBusy = false;
  }

  return {
    run<T>(guildId: string, work: () => Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const start = () => work().then(resolve, reject);
      queues.set(guildId, [...(queues.get(guildId) ?? []), { start, reject }]);
      void go();
      return promise;
    },
    forget(guildId) {
      const waiting = queues.get(guildId) ?? [];
      queues.delete(guildId);
      const gone = new Error("the server's records are erased");
      for (const { reject } of [...waiting, running.get(guildId)].filter(
        (one) => one !== undefined,
      ))
        reject(gone);
    },
  };
}

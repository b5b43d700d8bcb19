import type { Keyv } from "keyv";
import type { Backend, Namespace } from "../../src/store/backend.ts";

export interface Failing {
  readonly backend: Backend;
  /** How many calls failed. */
  readonly failed: () => number;
}

const calls: readonly unknown[] = ["get", "set", "delete", "has"];

/** A backend of which a share of the calls fails, half of them after they were done; listing fails before it begins. */
export function failing(backend: Backend, rate: () => number, random: () => number): Failing {
  let failed = 0;

  async function perhaps<T>(work: () => Promise<T>): Promise<T> {
    const isFailing = random() < rate();
    if (isFailing) failed += 1;
    if (isFailing && random() < 0.5) throw new Error("the database did not answer");
    const done = await work();
    if (isFailing) throw new Error("the database's answer was lost");
    return done;
  }

  function failingRecords(records: Keyv): Keyv {
    return new Proxy(records, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name === "iterator" && typeof value === "function") {
          return async function* (...args: readonly unknown[]) {
            await perhaps(async () => undefined);
            yield* value.apply(target, args);
          };
        }
        if (!calls.includes(name) || typeof value !== "function") return value;
        return (...args: readonly unknown[]) => perhaps(() => value.apply(target, args));
      },
    });
  }

  const records = Object.entries(backend.records).map(([name, each]) => [
    name,
    failingRecords(each),
  ]);
  return {
    failed: () => failed,
    backend: {
      ...backend,
      records: Object.fromEntries(records) as Record<Namespace, Keyv>,
      update: (at, make, ttlMs) => perhaps(() => backend.update(at, make, ttlMs)),
      wipe: () => perhaps(backend.wipe),
      scrub: () => perhaps(backend.scrub),
    },
  };
}

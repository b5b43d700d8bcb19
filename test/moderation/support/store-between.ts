import type { StillClock } from "./still-clock.ts";

/** A store behind a wire: called before every call and after it, with the name of what is called, such as `items.update`. */
export interface Wire {
  before?(name: string): Promise<void> | void;
  after?(name: string): Promise<void> | void;
}

/** The same object; only the calls themselves hold the clock, so that waiting on the wire takes its time. */
export function behind<T extends object>(object: T, clock: StillClock, wire: Wire, path = ""): T {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      const name = path === "" ? String(key) : `${path}.${String(key)}`;
      if (typeof value === "object" && value !== null) return behind(value, clock, wire, name);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        await wire.before?.(name);
        const answer: unknown = await clock.hold(
          Promise.resolve(Reflect.apply(value, target, given)),
        );
        await wire.after?.(name);
        return answer;
      };
    },
  });
}

/** Every call takes so long. */
export function slow(clock: StillClock, ms: number): Wire {
  return { before: () => new Promise((resolve) => void clock.after(ms, resolve)) };
}

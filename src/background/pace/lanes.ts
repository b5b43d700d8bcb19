/** Waiting calls by tenant, in the order in which the tenants are served. */
export interface Lanes<T extends { readonly tenant: string }> {
  /** The lanes as they stand, each from its head on. */
  all(): readonly (readonly T[])[];
  add(one: T): void;
  /** Before all others, for a call that had its turn already. */
  addFirst(one: T): void;
  /** Takes the first head that may go, lane by lane; its lane comes last then. */
  take(mayGo: (one: T) => boolean): T | undefined;
  /** Answers whether it was there. */
  remove(one: T): boolean;
}

/** Round robin: each tenant's calls keep their order, and no tenant waits for more than one call of each other. */
export function createLanes<T extends { readonly tenant: string }>(): Lanes<T> {
  // A Map keeps the order in which its keys were added.
  let lanes = new Map<string, T[]>();

  return {
    all: () => [...lanes.values()],
    add(one) {
      const lane = lanes.get(one.tenant);
      if (lane === undefined) lanes.set(one.tenant, [one]);
      else lane.push(one);
    },
    addFirst(one) {
      const lane = [one, ...(lanes.get(one.tenant) ?? [])];
      lanes.delete(one.tenant);
      lanes = new Map([[one.tenant, lane], ...lanes]);
    },
    take(mayGo) {
      for (const [tenant, lane] of lanes) {
        const [head] = lane;
        if (head === undefined || !mayGo(head)) continue;
        lane.shift();
        lanes.delete(tenant);
        if (lane.length > 0) lanes.set(tenant, lane);
        return head;
      }
      return undefined;
    },
    remove(one) {
      const lane = lanes.get(one.tenant);
      const at = lane?.indexOf(one) ?? -1;
      if (lane === undefined || at < 0) return false;
      lane.splice(at, 1);
      if (lane.length === 0) lanes.delete(one.tenant);
      return true;
    },
  };
}

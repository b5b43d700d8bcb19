/** Who waits for a turn. Tenants take turns, and within a tenant its people do. */
export interface TurnTaker {
  readonly tenant: string;
  readonly person: string;
}

export type FairQueue<T extends TurnTaker> = ReturnType<typeof createFairQueue<T>>;

// A Map keeps the order in which its keys were added.
type People<T> = Map<string, T[]>;

/** A queue that is fair: tenants take turns, and people take turns within their tenant. */
export function createFairQueue<T extends TurnTaker>() {
  let tenants = new Map<string, People<T>>();
  const lanes = (): readonly (readonly T[])[] =>
    [...tenants.values()].map((people) => interleave([...people.values()]));

  function takeHead(one: T): T {
    const people = tenants.get(one.tenant);
    const own = people?.get(one.person);
    if (people === undefined || own === undefined) return one;
    own.shift();
    people.delete(one.person);
    if (own.length > 0) people.set(one.person, own);
    tenants.delete(one.tenant);
    if (people.size > 0) tenants.set(one.tenant, people);
    return one;
  }

  return {
    /** One list for each tenant, in the order of serving. */
    lanes,
    /** All waiting elements in the order of serving, if none has to be skipped. */
    order: (): readonly T[] => interleave(lanes()),
    add(one: T): void {
      const people = tenants.get(one.tenant) ?? new Map<string, T[]>();
      tenants.set(one.tenant, people);
      const own = people.get(one.person);
      if (own === undefined) people.set(one.person, [one]);
      else own.push(one);
    },
    /** Adds it before all others. For an element that already had its turn. */
    addFirst(one: T): void {
      const people = tenants.get(one.tenant) ?? new Map<string, T[]>();
      const own = [one, ...(people.get(one.person) ?? [])];
      people.delete(one.person);
      tenants.delete(one.tenant);
      tenants = new Map([[one.tenant, new Map([[one.person, own], ...people])], ...tenants]);
    },
    /**
     * Takes the first element that may go. Only the first element of each person is considered. Afterwards its tenant and person
     * come last.
     */
    take(mayGo: (one: T) => boolean): T | undefined {
      for (const people of tenants.values()) {
        for (const [head] of people.values()) {
          if (head !== undefined && mayGo(head)) return takeHead(head);
        }
      }
      return undefined;
    },
    /** Returns whether it was there. */
    remove(one: T): boolean {
      const people = tenants.get(one.tenant);
      const own = people?.get(one.person);
      const at = own?.indexOf(one) ?? -1;
      if (people === undefined || own === undefined || at < 0) return false;
      own.splice(at, 1);
      if (own.length === 0) people.delete(one.person);
      if (people.size === 0) tenants.delete(one.tenant);
      return true;
    },
  };
}

/** The first of each list, then the second of each, and so on. */
function interleave<T>(all: readonly (readonly T[])[]): readonly T[] {
  const order: T[] = [];
  const longest = Math.max(0, ...all.map(({ length }) => length));
  for (let round = 0; round < longest; round += 1) {
    for (const each of all) {
      const one = each[round];
      if (one !== undefined) order.push(one);
    }
  }
  return order;
}

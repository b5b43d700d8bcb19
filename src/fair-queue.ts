/** Who waits for a turn. Tenants take turns, and within a tenant its people do. */
export interface TurnTaker {
  readonly tenant: string;
  readonly person: string;
}

/** A queue that is fair to tenants and to their people. */
export interface FairQueue<T extends TurnTaker> {
  /** One list for each tenant, in the order of serving. */
  lanes(): readonly (readonly T[])[];
  /** All waiting elements in the order of serving, if none has to be skipped. */
  order(): readonly T[];
  add(one: T): void;
  /** Adds it before all others. For an element that already had its turn. */
  addFirst(one: T): void;
  /**
   * Takes the first element that may go. Only the first element of each person is considered. Afterwards its tenant and person
   * come last.
   */
  take(mayGo: (one: T) => boolean): T | undefined;
  /** Returns whether it was there. */
  remove(one: T): boolean;
}

// A Map keeps the order in which its keys were added.
type People<T> = Map<string, T[]>;

/** Round robin on two levels: tenants take turns, and people take turns within their tenant. */
export function createFairQueue<T extends TurnTaker>(): FairQueue<T> {
  let tenants = new Map<string, People<T>>();
  const lanes = () => [...tenants.values()].map((people) => interleave([...people.values()]));

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
    lanes,
    order: () => interleave(lanes()),
    add(one) {
      const people = tenants.get(one.tenant) ?? new Map<string, T[]>();
      tenants.set(one.tenant, people);
      const own = people.get(one.person);
      if (own === undefined) people.set(one.person, [one]);
      else own.push(one);
    },
    addFirst(one) {
      const people = tenants.get(one.tenant) ?? new Map<string, T[]>();
      const own = [one, ...(people.get(one.person) ?? [])];
      people.delete(one.person);
      tenants.delete(one.tenant);
      tenants = new Map([[one.tenant, new Map([[one.person, own], ...people])], ...tenants]);
    },
    take(mayGo) {
      for (const people of tenants.values()) {
        for (const [head] of people.values()) {
          if (head !== undefined && mayGo(head)) return takeHead(head);
        }
      }
      return undefined;
    },
    remove(one) {
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

/** Whose turn it is: tenants take turns, and within a tenant its people. */
export interface TurnTaker {
  readonly tenant: string;
  readonly person: string;
}

/** What waits for its turn, in the order in which it will be served. */
export interface FairQueue<T extends TurnTaker> {
  /** Tenant by tenant, each from its next one on. */
  lanes(): readonly (readonly T[])[];
  /** All of them as they will be served when each may go as its turn comes. */
  order(): readonly T[];
  add(one: T): void;
  /** Before all others, for what had its turn already. */
  addFirst(one: T): void;
  /**
   * Takes the first that may go: of each tenant's people only the one that waits longest is asked. Tenant and person come
   * last then.
   */
  take(mayGo: (one: T) => boolean): T | undefined;
  /** Answers whether it was there. */
  remove(one: T): boolean;
}

// A Map keeps the order in which its keys were added.
type People<T> = Map<string, T[]>;

/** Round robin twice: nobody waits for more than one of each other tenant, and one of each other person of the own. */
export function createFairQueue<T extends TurnTaker>(): FairQueue<T> {
  let tenants = new Map<string, People<T>>();
  const lanes = () => [...tenants.values()].map((people) => interleaved([...people.values()]));

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
    order: () => interleaved(lanes()),
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

/** One of each, then the second of each, and so on: what taking turns comes to. */
function interleaved<T>(all: readonly (readonly T[])[]): readonly T[] {
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

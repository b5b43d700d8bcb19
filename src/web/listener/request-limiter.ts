import { minuteMs } from "../../clock.ts";
import { findNetworks, type VisitorNetworks } from "./visitor-address.ts";

/** Requests per minute. */
export interface RequestLimits {
  /** By one visitor. */
  readonly visitor: number;
  /** By all together; beyond that each visitor still has a few. */
  readonly all: number;
}

/** A link takes about ten requests; a household or an office shares one address. */
export const defaultRequestLimits: RequestLimits = { visitor: 120, all: 6_000 };

/** This share of a visitor's limit can't be taken away by others. It is enough for a link. */
const ownShare = 1 / 12;

/** Of each size. */
const maxNetworks = 10_000;

type NetworkSize = keyof VisitorNetworks;

const sizes = ["self", "home", "site", "provider"] as const satisfies readonly NetworkSize[];

/** How many visitors of one network may use up their whole limit. */
const visitorsIn = { self: 1, home: 2, site: 4 } as const;

interface CountedNetwork {
  readonly size: NetworkSize;
  readonly network: string;
  readonly most: number;
}

/**
 * Counts requests, and says which network has sent too many; `all` if that is everybody together. A visitor is counted in each
 * of its networks, so that somebody with thousands of addresses takes nobody else's place. Where no more networks of a size
 * can be kept, the next larger one speaks for the visitor.
 */
export function createRequestCounts(limits: RequestLimits, now: () => number) {
  const counts: Readonly<Record<NetworkSize, Map<string, number>>> = {
    self: new Map(),
    home: new Map(),
    site: new Map(),
    provider: new Map(),
  };
  let minute = 0;
  let all = 0;

  function countedIn(visitor: string): readonly CountedNetwork[] {
    const networks = findNetworks(visitor);
    return sizes.flatMap((size): CountedNetwork[] => {
      const network = networks[size];
      if (network === undefined) return [];
      if (!counts[size].has(network) && counts[size].size >= maxNetworks) return [];
      const most = size === "provider" ? limits.all / 2 : limits.visitor * visitorsIn[size];
      return [{ size, network, most: Math.max(limits.visitor, most) }];
    });
  }

  return (visitor: string | undefined): string | undefined => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      all = 0;
      for (const size of sizes) counts[size].clear();
    }
    const counted = visitor === undefined ? [] : countedIn(visitor);
    const readCount = ({ size, network }: CountedNetwork) => counts[size].get(network) ?? 0;
    const over = counted.filter((one) => readCount(one) >= one.most);
    const narrow = over.find(({ size }) => size !== "provider");
    if (narrow !== undefined) return narrow.network;
    if (all >= limits.all || over.length > 0) {
      // Where a provider's visitors, or all visitors together, are over the limit, each still has a few requests.
      const [narrowest, ...wider] = counted.filter((one) => !over.includes(one));
      const mayHaveFew = [narrowest, ...wider.filter(({ size }) => size === "site")];
      const isFew = mayHaveFew.every((one) => one && readCount(one) + 1 <= one.most * ownShare);
      if (!isFew) return "all";
    }
    // A refused request takes nothing from what is left for other visitors, nor do the few of a provider that is over.
    for (const one of counted) counts[one.size].set(one.network, readCount(one) + 1);
    if (over.length === 0) all += 1;
    return undefined;
  };
}

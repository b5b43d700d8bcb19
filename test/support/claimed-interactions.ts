import type { Store } from "../../src/store/index.ts";

/** Records of interactions in memory, as for a process that is alone; for tests that count what else is written. */
export function createClaimedInteractions(): Store["interactions"] {
  const holders = new Map<string, string>();
  return {
    claim: async () => true,
    answer: async () => true,
    retract: async () => undefined,
    isOwned: async () => true,
    close: async ({ id }) => {
      for (const [name, holder] of holders) if (holder === id) holders.delete(name);
    },
    holdOnce: async ({ id }, name) => {
      if ((holders.get(name) ?? id) !== id) return false;
      holders.set(name, id);
      return true;
    },
    read: async () => undefined,
    readAnswer: async () => undefined,
    hasOpen: async () => false,
    leftBy: async () => [],
    cancel: async () => false,
    cancelled: async () => [],
    takeOver: async () => [],
  };
}

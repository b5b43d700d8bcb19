import type { GatewaySessions, SavedGatewaySession } from "../../src/store/index.ts";

/** Opens all recommended connections, as a single process does that no other process came before. */
export function arrivalAlone() {
  return {
    shards: undefined,
    shardCount: undefined,
    sessions: createMemorySessions(),
    identifyTurn: async () => 0,
  };
}

/** Stored sessions, kept in memory for a single process. */
export function createMemorySessions(): GatewaySessions & {
  readonly all: Map<number, SavedGatewaySession>;
} {
  const all = new Map<number, SavedGatewaySession>();
  const put = async (sessions: readonly SavedGatewaySession[]) => {
    for (const session of sessions) all.set(session.shardId, session);
  };
  return {
    all,
    take: async (_, ids) => ids.flatMap((id) => all.get(id) ?? []),
    save: put,
    release: put,
  };
}

import type { GatewaySessions, SavedGatewaySession } from "../../src/store/index.ts";

/** All recommended connections, with nobody else who identifies, and no earlier process. */
export function arrivalAlone() {
  return {
    shards: undefined,
    shardCount: undefined,
    sessions: createMemorySessions(),
    identifyTurn: async () => 0,
  };
}

/** Sessions as one database has them for a single process. */
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

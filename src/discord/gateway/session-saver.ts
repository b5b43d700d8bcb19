import type { SessionInfo } from "@discordjs/ws";
import type { Log } from "../../log.ts";
import type { GatewaySessions, SavedGatewaySession } from "../../store/index.ts";

/** Saves where this process's connections stand, so that the process that follows can go on with them. */
export type SessionSaver = ReturnType<typeof createSessionSaver>;

export function createSessionSaver({
  sessions,
  log,
}: {
  readonly sessions: GatewaySessions;
  readonly log: Log;
}) {
  const all = new Map<number, SavedGatewaySession>();
  let changed = new Set<number>();
  let begun = new Set<number>();
  /** A connection's session has had another event. */
  const advance = ({ resumeURL: resumeUrl, ...session }: SessionInfo) => {
    all.set(session.shardId, { ...session, resumeUrl });
    changed.add(session.shardId);
  };
  const write = async (kind: "save" | "release", ids: Iterable<number>) => {
    const written = [...ids].flatMap((id) => all.get(id) ?? []);
    const writtenBegun = begun;
    const writtenChanged = changed;
    [begun, changed] = [new Set(), new Set()];
    try {
      await sessions[kind](written, writtenBegun);
    } catch (error) {
      begun = new Set([...begun, ...writtenBegun]);
      changed = new Set([...changed, ...writtenChanged]);
      log.warn("gateway sessions were not saved", { error });
    }
  };
  return {
    /** Sessions that the process before this one gave up; none when the store can't tell. */
    async take(
      shardCount: number,
      shardIds: readonly number[],
    ): Promise<ReadonlyMap<number, SessionInfo>> {
      try {
        const taken = await sessions.take(shardCount, shardIds);
        for (const session of taken) all.set(session.shardId, session);
        return new Map(
          taken.map(({ resumeUrl: resumeURL, ...one }) => [one.shardId, { ...one, resumeURL }]),
        );
      } catch (error) {
        log.warn("gateway sessions were not read", { error });
        return new Map();
      }
    },
    /** A connection has a new session. */
    begin(session: SessionInfo) {
      advance(session);
      begun.add(session.shardId);
    },
    advance,
    /** Writes what has changed since the last time. */
    save: async () => {
      if (changed.size > 0) await write("save", changed);
    },
    /** Writes all of them for whoever follows. */
    release: () => write("release", all.keys()),
  };
}

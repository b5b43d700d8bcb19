import type { SessionInfo } from "@discordjs/ws";
import type { Log } from "../../log.ts";
import type { GatewaySessions, SavedGatewaySession } from "../../store/index.ts";

/** Saves where this process's connections stand, so that the process that follows can go on with them. */
export interface SessionSaver {
  /** Sessions that the process before this one gave up; none when the store can't tell. */
  take(shardCount: number, shardIds: readonly number[]): Promise<ReadonlyMap<number, SessionInfo>>;
  /** A connection has a new session. */
  begin(session: SessionInfo): void;
  /** A connection's session has had another event. */
  advance(session: SessionInfo): void;
  /** Writes what has changed since the last time. */
  save(): Promise<void>;
  /** Writes all of them for whoever follows. */
  release(): Promise<void>;
}

export function createSessionSaver({
  sessions,
  log,
}: {
  readonly sessions: GatewaySessions;
  readonly log: Log;
}): SessionSaver {
  const all = new Map<number, SavedGatewaySession>();
  let changed = new Set<number>();
  let begun = new Set<number>();
  const note = (session: SessionInfo) => {
    all.set(session.shardId, savedForm(session));
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
    async take(shardCount, shardIds) {
      try {
        const taken = await sessions.take(shardCount, shardIds);
        for (const session of taken) all.set(session.shardId, session);
        return new Map(taken.map((session) => [session.shardId, libraryForm(session)]));
      } catch (error) {
        log.warn("gateway sessions were not read", { error });
        return new Map();
      }
    },
    begin(session) {
      note(session);
      begun.add(session.shardId);
    },
    advance: note,
    save: async () => {
      if (changed.size > 0) await write("save", changed);
    },
    release: () => write("release", all.keys()),
  };
}

function savedForm({ resumeURL: resumeUrl, ...session }: SessionInfo): SavedGatewaySession {
  return { ...session, resumeUrl };
}

function libraryForm({ resumeUrl: resumeURL, ...session }: SavedGatewaySession): SessionInfo {
  return { ...session, resumeURL };
}

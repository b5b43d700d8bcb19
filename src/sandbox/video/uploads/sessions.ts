import { randomUUID } from "node:crypto";
import type { Session } from "./session.ts";

/** How long a session can be continued; the service states none. */
const lifeMs = 24 * 3_600_000;

/** Resumable uploads by id. */
export interface Sessions {
  /** Gives the new session's id. */
  open(session: Session): string;
  /** Undefined when there is none, or not any more. */
  find(id: string): Session | undefined;
}

export function createSessions(now: () => number): Sessions {
  const sessions = new Map<string, Session>();
  const isOver = ({ openedAt }: Session): boolean => now() - openedAt >= lifeMs;

  return {
    open(session) {
      for (const [id, other] of sessions) if (isOver(other)) sessions.delete(id);
      const id = randomUUID();
      sessions.set(id, session);
      return id;
    },
    find(id) {
      const session = sessions.get(id);
      return session === undefined || isOver(session) ? undefined : session;
    },
  };
}

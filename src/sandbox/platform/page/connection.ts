import type { PersonName } from "../../types.ts";
import type { PageEvent } from "../protocol.ts";

export interface Connection {
  close(): void;
}

export interface ConnectionEvents {
  onEvent(event: PageEvent): void;
  onLost(): void;
}

const firstWaitMs = 400;
const longestWaitMs = 3_000;

/** Listens to the platform as one person, and comes back by itself when the socket drops. */
export function connect(person: PersonName, events: ConnectionEvents): Connection {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = firstWaitMs;
  let isClosed = false;

  function open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const opened = new WebSocket(`${scheme}://${location.host}/page/socket?as=${person}`);
    socket = opened;
    opened.addEventListener("message", ({ data }) => {
      if (isClosed) return;
      waitMs = firstWaitMs;
      events.onEvent(JSON.parse(String(data)) as PageEvent);
    });
    opened.addEventListener("close", () => {
      if (isClosed) return;
      events.onLost();
      timer = setTimeout(open, waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    });
  }

  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

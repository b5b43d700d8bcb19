import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Keeps a server open for the next visitor: over `most` connections, the oldest that has asked nothing gives way. So
 * whoever holds many connections open, or sends slowly, loses their own and not the place of others.
 */
export function keepRoom(server: Server, most: number): void {
  /** In the order of their coming. */
  const open = new Set<Socket>();
  const busy = new Set<Socket>();

  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      busy.delete(socket);
    });
    if (open.size > most) oldestIdle()?.destroy();
  });
  server.on("request", ({ socket }, response) => {
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
  });

  /** When all are busy, it is the one that has just come. */
  function oldestIdle(): Socket | undefined {
    for (const socket of open) if (!busy.has(socket)) return socket;
    return undefined;
  }
}

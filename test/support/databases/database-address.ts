import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The address of a database that stays the same when another server takes its place. */
export interface DatabaseAddress {
  readonly url: string;
  /** Connects clients to this port from now on, or to nothing if it is undefined; cuts all connections. */
  lead(port: number | undefined): void;
  close(): Promise<void>;
}

export async function openDatabaseAddress(port: number): Promise<DatabaseAddress> {
  let target: number | undefined = port;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: () => Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      other().destroy();
    });
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((incoming) => {
    if (target === undefined) return void incoming.destroy();
    const outgoing = connect(target, "127.0.0.1");
    keep(incoming, () => outgoing);
    keep(outgoing, () => incoming);
    incoming.pipe(outgoing).pipe(incoming);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `postgres://greenroom@127.0.0.1:${own}/postgres`,
    lead(next) {
      target = next;
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

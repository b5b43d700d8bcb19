import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A response given as bytes, so that it can break every rule of HTTP. */
export interface RawAnswer {
  readonly bytes: Buffer;
  /**
   * `whole`: everything is sent, then the connection is closed. `open`: everything is sent, and the connection stays
   * open. `cut`: the connection is reset after half of it. `trickle`: a few bytes at a time. `endless`: the last bytes
   * are sent over and over.
   */
  readonly manner: "whole" | "open" | "cut" | "trickle" | "endless";
}

export interface RawServer {
  readonly origin: string;
  /** Connections so far. */
  readonly connections: number;
  /** The response to every request from now on. */
  answer: RawAnswer;
  close(): Promise<void>;
}

/** A server that responds to any bytes with the given ones. */
export async function startRawServer(): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.on("data", () => void send(socket, raw.answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const raw: RawServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    answer: { bytes: Buffer.alloc(0), manner: "whole" },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return raw;
}

async function send(socket: Socket, { bytes, manner }: RawAnswer): Promise<void> {
  if (manner === "whole") return void socket.end(bytes);
  if (manner === "open") return void socket.write(bytes);
  if (manner === "cut") {
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    return void socket.write(half, () => socket.resetAndDestroy());
  }
  if (manner === "endless") return endless(socket, bytes);
  for (let at = 0; at < bytes.length && socket.writable; at += 7) {
    socket.write(bytes.subarray(at, at + 7));
    await delay(10);
  }
}

/** Sends until the other side closes the connection. */
async function endless(socket: Socket, bytes: Buffer): Promise<void> {
  socket.write(bytes);
  const more = Buffer.alloc(64 * 1_024, bytes.subarray(-100));
  while (socket.writable) {
    socket.write(more);
    await delay(1);
  }
}

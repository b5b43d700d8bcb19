import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** An answer by its bytes, so that it may break every rule of HTTP. */
export interface RawAnswer {
  readonly bytes: Buffer;
  /**
   * `whole`: sent and the connection closed. `open`: sent and nothing more. `cut`: reset after half of it. `trickle`: a
   * few bytes at a time. `endless`: the last bytes over and over.
   */
  readonly manner: "whole" | "open" | "cut" | "trickle" | "endless";
}

export interface RawServer {
  readonly origin: string;
  /** Connections so far. */
  readonly connections: number;
  /** Every request from now on is answered so. */
  answer: RawAnswer;
  close(): Promise<void>;
}

/** A server that answers whatever it hears with the bytes it was given. */
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

/** Ends when the other side has had enough. */
async function endless(socket: Socket, bytes: Buffer): Promise<void> {
  socket.write(bytes);
  const more = Buffer.alloc(64 * 1_024, bytes.subarray(-100));
  while (socket.writable) {
    socket.write(more);
    await delay(1);
  }
}

import {
  constants,
  createDeflate,
  createZstdCompress,
  type Deflate,
  deflateSync,
  type ZstdCompress,
} from "node:zlib";
import type { WebSocket } from "ws";
import { apiVersions, newestVersion } from "./api-versions.ts";
import type { Violation } from "./gateway-codes.ts";

/** One WebSocket of a bot, which gets its packets the way it asked for. */
export interface GatewayConnection {
  readonly socket: WebSocket;
  /** Of the gateway, as the bot asked for it. */
  readonly version: number;
  send(packet: unknown): void;
  /** Closes after all that was sent before. */
  close(code: number, reason?: string): void;
  /** Compresses large packets by themselves from now on; without effect where the whole connection is compressed. */
  compressLarge(): void;
}

/** How a bot wants to be spoken to, by the query of its address. */
export interface GatewayTransport {
  readonly version: number;
  readonly compression: Compression | undefined;
}

type Compression = keyof typeof compressors;

// Below this, compressing hardly makes a packet shorter.
const minCompressedBytes = 1_024;

const compressors = {
  "zlib-stream": { create: createDeflate, flush: constants.Z_SYNC_FLUSH },
  "zstd-stream": { create: createZstdCompress, flush: constants.ZSTD_e_flush },
} as const;

function isCompression(name: string): name is Compression {
  return Object.hasOwn(compressors, name);
}

/** https://docs.discord.com/developers/events/gateway#connecting */
export function transportOf(query: URLSearchParams): GatewayTransport | Violation {
  const version = Number(query.get("v") ?? newestVersion);
  if (!apiVersions.includes(version)) return "invalidVersion";
  // The other encoding holds Erlang's terms, which the stand-in can't write.
  if ((query.get("encoding") ?? "json") !== "json") return "decode";
  const compression = query.get("compress");
  if (compression === null) return { version, compression: undefined };
  return isCompression(compression) ? { version, compression } : "decode";
}

export function createConnection(
  socket: WebSocket,
  { version, compression }: GatewayTransport,
): GatewayConnection {
  const wire = compression === undefined ? packetWire(socket) : streamWire(socket, compression);
  return { socket, version, ...wire };
}

type Wire = Omit<GatewayConnection, "socket" | "version">;

function packetWire(socket: WebSocket): Wire {
  let isCompressing = false;
  return {
    send(packet) {
      const text = JSON.stringify(packet);
      const isLarge = isCompressing && Buffer.byteLength(text) >= minCompressedBytes;
      socket.send(isLarge ? deflateSync(text) : text);
    },
    close: (code, reason) => socket.close(code, reason),
    compressLarge() {
      isCompressing = true;
    },
  };
}

/** One stream for as long as the connection stands; each packet ends with a flush and is a message of its own. */
function streamWire(socket: WebSocket, compression: Compression): Wire {
  const { create, flush } = compressors[compression];
  const stream: Deflate | ZstdCompress = create();
  let parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  socket.on("close", () => stream.destroy());
  return {
    send(packet) {
      if (stream.destroyed) return;
      stream.write(JSON.stringify(packet));
      stream.flush(flush, () => {
        socket.send(Buffer.concat(parts));
        parts = [];
      });
    },
    close(code, reason) {
      if (stream.destroyed) return;
      stream.flush(flush, () => socket.close(code, reason));
    },
    compressLarge: () => undefined,
  };
}

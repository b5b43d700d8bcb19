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

/** One WebSocket of a bot, with the compression that it requested. */
export interface GatewayConnection {
  readonly socket: WebSocket;
  /** The gateway's version that the bot asked for. */
  readonly version: number;
  send(packet: unknown): void;
  /** Closes after all that was sent before. */
  close(code: number, reason?: string): void;
  /** Compresses each large packet from now on; no effect if the whole connection is compressed. */
  compressLarge(): void;
}

/** Version and compression, from the query of the gateway's address. */
interface GatewayTransport {
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

/** https://docs.discord.com/developers/events/gateway#connecting */
export function readTransport(query: URLSearchParams): GatewayTransport | Violation {
  const version = Number(query.get("v") ?? newestVersion);
  if (!apiVersions.includes(version)) return "invalidVersion";
  // The other encoding is Erlang's ETF, which the stand-in does not support.
  if ((query.get("encoding") ?? "json") !== "json") return "decode";
  const compression = query.get("compress");
  if (compression === null) return { version, compression: undefined };
  if (!Object.hasOwn(compressors, compression)) return "decode";
  return { version, compression: compression as Compression };
}

export function createConnection(
  socket: WebSocket,
  { version, compression }: GatewayTransport,
): GatewayConnection {
  const wire = compression === undefined ? packetWire(socket) : streamWire(socket, compression);
  return { socket, version, ...wire };
}

type PacketWire = Omit<GatewayConnection, "socket" | "version">;

function packetWire(socket: WebSocket): PacketWire {
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

/** One compression stream per connection; each packet ends with a flush and is one message. */
function streamWire(socket: WebSocket, compression: Compression): PacketWire {
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

// https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
export const gatewayOpcodes = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  members: 8,
  invalidSession: 9,
  hello: 10,
  acknowledge: 11,
} as const;

const violations = {
  unknownOpcode: [4_001, "Unknown opcode."],
  decode: [4_002, "Error while decoding payload."],
  notAuthenticated: [4_003, "Not authenticated."],
  authenticationFailed: [4_004, "Authentication failed."],
  alreadyAuthenticated: [4_005, "Already authenticated."],
  invalidSeq: [4_007, "Invalid seq."],
  rateLimited: [4_008, "Rate limited."],
  timedOut: [4_009, "Session timed out."],
  invalidShard: [4_010, "Invalid shard."],
  shardingRequired: [4_011, "Sharding required."],
  invalidVersion: [4_012, "Invalid API version."],
  invalidIntents: [4_013, "Invalid intent(s)."],
} as const;

/** What a bot did wrong, with the code and the words its connection is closed with. */
export type Violation = keyof typeof violations;

interface Closable {
  close(code: number, reason: string): void;
}

export function closeFor(connection: Closable, violation: Violation): void {
  const [code, reason] = violations[violation];
  connection.close(code, reason);
}

import { connect, type Socket } from "node:net";
import { workerData } from "node:worker_threads";

export interface SlowAttack {
  readonly port: number;
  /** What each connection sends before it goes on byte by byte. */
  readonly openings: readonly string[];
}

/** Addresses on this machine, which count as proxies. */
const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"] as const;
/** All connections are open after `beginMs`, and are opened again `againMs` after they were closed. */
const beginMs = 2_000;
const againMs = 1_000;
const dripMs = 500;

const { port, openings } = workerData as SlowAttack;
const sockets = new Set<Socket>();

function attack(number: number): void {
  const localAddress = addresses[number % addresses.length] ?? addresses[0];
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.once("connect", () => socket.write(openings[number] ?? ""));
  socket.once("close", () => {
    sockets.delete(socket);
    setTimeout(attack, againMs, number);
  });
}

for (const number of openings.keys()) {
  setTimeout(attack, (number / openings.length) * beginMs, number);
}
setInterval(() => {
  for (const socket of sockets) if (socket.writable) socket.write("x");
}, dripMs);

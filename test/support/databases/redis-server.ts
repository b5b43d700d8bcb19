import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type DatabaseServer, ended, freePort, spawnServer, until } from "./child.ts";

/** Undefined where Redis is not installed. */
export function findRedis(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  return folders.map((folder) => join(folder, "redis-server")).find((path) => existsSync(path));
}

const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];

/** `settings` are the server's own, as on its command line. */
export async function startRedis(settings: readonly string[] = durable): Promise<DatabaseServer> {
  const command = findRedis();
  if (command === undefined) throw new Error("Redis is not installed");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "greenroom-redis-"));
  const isEncrypted = settings.includes("--tls-cert-file");
  const listen = isEncrypted
    ? ["--port", "0", "--tls-port", String(port)]
    : ["--port", String(port)];
  const args = ["--bind", "127.0.0.1", ...listen, "--dir", folder];
  let running: ReturnType<typeof spawnServer>;

  async function start() {
    running = spawnServer(command ?? "", [...args, "--databases", "2000", ...settings]);
    await until(() => isUp(port, isEncrypted), running);
  }

  await start();
  const server: DatabaseServer = {
    url: isEncrypted ? `rediss://localhost:${port}` : `redis://127.0.0.1:${port}`,
    port,
    folder,
    pid: () => running.child.pid ?? 0,
    start,
    kill: async () => {
      running.child.kill("SIGKILL");
      await ended(running.child);
    },
    pause: () => void running.child.kill("SIGSTOP"),
    goOn: () => void running.child.kill("SIGCONT"),
    stop: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

/** Asked by hand, because a server with a password answers too. */
function isUp(port: number, isEncrypted: boolean): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => {
    if (isEncrypted) resolve(true);
    else socket.write("PING\r\n");
  });
  socket.on("data", (data) => resolve(/^(\+PONG|-NOAUTH)/.test(String(data))));
  socket.on("error", () => resolve(false));
  socket.on("close", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

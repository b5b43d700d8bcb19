import { execFile, execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { type DatabaseServer, ended, spawnServer, until } from "./child.ts";

const debian = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs; undefined if PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = versions.map((version) => join(debian, version, "bin"));
  const all = [...folders, ...(process.env.PATH ?? "").split(delimiter)];
  return all.find((folder) => existsSync(join(folder, "initdb")));
}

/** `settings` are the server's own, such as `fsync=off`. */
export function startPostgres(
  settings: readonly string[] = [],
  chosenPort?: number,
): Promise<DatabaseServer> {
  return startServer(settings, { chosenPort });
}

/** A server that follows a primary and refuses writes until `select pg_promote()` promotes it. */
export function startStandby(primary: DatabaseServer): Promise<DatabaseServer> {
  return startServer([], { primary });
}

interface ServerSource {
  readonly chosenPort?: number | undefined;
  readonly primary?: DatabaseServer;
}

async function startServer(
  settings: readonly string[],
  { chosenPort, primary }: ServerSource,
): Promise<DatabaseServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const port = chosenPort ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), "greenroom-postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const owner = ownerOf([folder, data]);
  const init = [
    "-D",
    data,
    "-U",
    "greenroom",
    "--auth=trust",
    "--no-sync",
    "--locale=C",
    "-E",
    "UTF8",
  ];
  const copy = ["-D", data, "-d", primary?.url ?? "", "-R", "-X", "stream", "-c", "fast"];
  await promisify(execFile)(
    join(programs, primary === undefined ? "initdb" : "pg_basebackup"),
    primary === undefined ? init : copy,
    { ...owner, cwd: folder },
  );
  const own = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    ...settings,
  ];
  const args = ["-D", data, ...own.flatMap((setting) => ["-c", setting])];
  const url = `postgres://greenroom@127.0.0.1:${port}/postgres`;
  let running: ReturnType<typeof spawnServer>;

  /**
   * A server process that started just before a kill may notice the kill late, and keeps the next server from starting.
   */
  async function start(tries = 20): Promise<void> {
    running = spawnServer(join(programs ?? "", "postgres"), args, { ...owner, cwd: folder });
    try {
      await until(() => isUp(url), running);
    } catch (error) {
      if (tries === 0 || !/shared memory block/.test(String(error))) throw error;
      await wait(100);
      await start(tries - 1);
    }
  }

  /** The server's own processes are in process groups of their own, so they are found as its children. */
  function all(signal: NodeJS.Signals) {
    const { pid = 0 } = running.child;
    const file = `/proc/${pid}/task/${pid}/children`;
    const children = existsSync(file) ? readFileSync(file, "utf8").trim().split(" ") : [];
    for (const id of [pid, ...children.filter(Boolean).map(Number)]) {
      try {
        process.kill(id, signal);
      } catch {
        // The process has ended in the meantime.
      }
    }
  }

  await start();
  const server: DatabaseServer = {
    url,
    port,
    folder,
    pid: () => running.child.pid ?? 0,
    start: () => start(),
    kill: async () => {
      all("SIGKILL");
      await ended(running.child);
    },
    pause: () => all("SIGSTOP"),
    goOn: () => all("SIGCONT"),
    stop: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

async function isUp(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  // If a connection opens and then breaks, the query fails, which is enough.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query("select 1")).rows.length === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The server refuses to run as root; then the folders are given to the user "nobody". */
function ownerOf(folders: readonly string[]): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })),
  );
  if (uid === undefined || gid === undefined) return {};
  for (const folder of folders) chownSync(folder, uid, gid);
  return { uid, gid };
}

import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the range from which Linux and macOS assign ports, so that no other program gets one between the check and its
 * use.
 */
const first = 20_000;
const count = 12_000;
/** Test processes that run at the same time have similar ids, so their first ports are spread far apart. */
let next = (process.pid * 101) % count;

/** A port of 127.0.0.1 on which nothing listens, a different one each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = first + next;
    next = (next + 1) % count;
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

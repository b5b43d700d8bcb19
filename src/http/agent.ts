import { Agent } from "undici";

/** Longest wait for a connection. A host that has not answered by then will not answer at all. */
const connectTimeoutMs = 5_000;
/** Sockets to one host; more requests wait their turn. */
const maxConnections = 64;

/** The pool behind every request. */
export function createAgent(): Agent {
  return new Agent({
    // 1 means one request at a time on a socket; 0 would switch keep-alive off as well.
    pipelining: 1,
    connections: maxConnections,
    connect: { minVersion: "TLSv1.2", timeout: connectTimeoutMs },
  });
}

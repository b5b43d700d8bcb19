import type { IncomingMessage } from "node:http";

// Long enough for a reader to take in what has arrived: breaking a connection throws away what nobody has read yet.
const graceMs = 20;
/** A handler that does not read the body at all is not waited for. */
const longestWaitMs = 1_000;

/**
 * Lets the first bytes of a request's body through to whoever reads it, however it is read, and then breaks the
 * connection: the reader gets exactly so many bytes and then an error, as when a client's line goes dead. A handler
 * of uploads keeps what it got. Must run before the body is read.
 */
export function cutRequest(incoming: IncomingMessage, afterBytes: number): void {
  const push = incoming.push.bind(incoming);
  let left = afterBytes;

  incoming.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    // The last bytes must not be read as the end of a whole body: the cut comes first.
    const part = chunk.subarray(0, left);
    const isReached = left <= chunk.length;
    left -= part.length;
    const wantsMore = part.length === 0 || push(part);
    if (!isReached) return wantsMore;
    incoming.push = () => false;
    void breakOnceRead(incoming);
    return false;
  };
}

async function breakOnceRead(incoming: IncomingMessage): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  do {
    await new Promise((resolve) => setTimeout(resolve, graceMs));
  } while (incoming.readableLength > 0 && performance.now() < deadline);
  incoming.socket.destroy();
}

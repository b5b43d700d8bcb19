/** Two sizes (header, payload) as unsigned 32-bit numbers, then a JSON header, then the payload's bytes as they are. */
const prefixBytes = 8;

/** A header as JSON and bytes that are neither copied nor encoded: 30 MB through Node's IPC stop the event loop. */
export function encodeFrame(header: unknown, payloads: readonly Uint8Array[] = []): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(json.length, 0);
  prefix.writeUInt32LE(
    payloads.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return [prefix, json, ...payloads];
}

/** Takes chunks from the pipe and calls back with each complete frame. */
export function createFrameReader(
  onFrame: (header: unknown, payload: Buffer) => void,
): (chunk: Buffer) => void {
  let parts = startParts();
  let at = 0;
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0 || at === parts.current.length) {
      const copied = rest.copy(parts.current, at);
      rest = rest.subarray(copied);
      at += copied;
      if (at < parts.current.length) return;
      at = 0;
      if (parts.next()) continue;
      const { header, payload } = parts;
      parts = startParts();
      onFrame(JSON.parse(header.toString("utf8")), payload);
    }
  };
}

/** Each part's buffer is made once, at its final size, so that large payloads are not joined afterwards. */
function startParts() {
  const prefix = Buffer.alloc(prefixBytes);
  const parts = {
    current: prefix,
    header: Buffer.alloc(0),
    payload: Buffer.alloc(0),
    /** Moves on to the next part; false when the frame is whole. */
    next(): boolean {
      if (parts.current === parts.payload) return false;
      if (parts.current === parts.header) {
        parts.payload = Buffer.allocUnsafeSlow(prefix.readUInt32LE(4));
        parts.current = parts.payload;
        return true;
      }
      parts.header = Buffer.allocUnsafe(prefix.readUInt32LE(0));
      parts.current = parts.header;
      return true;
    },
  };
  return parts;
}

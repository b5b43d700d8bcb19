/** Smaller bodies are joined faster than they are placed. */
const largeBytes = 1024 * 1024;

/** Chunks of a body as they come, and in the end all of them as one. */
export interface Gathered {
  add(chunk: Buffer): void;
  all(): Buffer;
}

/**
 * A large body whose length is told goes where it will stay, chunk by chunk: joining 30 MB at the end would hold up the
 * event loop for more than 20 ms, and need the memory twice.
 */
export function gather(declared: string | undefined): Gathered {
  const length = Number(declared);
  return length >= largeBytes && Number.isSafeInteger(length) ? placed(length) : joined();
}

function joined(): Gathered {
  const chunks: Buffer[] = [];
  return {
    add: (chunk) => {
      chunks.push(chunk);
    },
    all: () => {
      const [first] = chunks;
      return chunks.length === 1 && first ? first : Buffer.concat(chunks);
    },
  };
}

function placed(length: number): Gathered {
  const body = Buffer.allocUnsafeSlow(length);
  const rest = joined();
  let at = 0;
  return {
    add: (chunk) => {
      const copied = chunk.copy(body, at);
      at += copied;
      // More than was told, which the parser below should not let through.
      if (copied < chunk.length) rest.add(chunk.subarray(copied));
    },
    all: () => {
      const more = rest.all();
      const told = at === length ? body : body.subarray(0, at);
      return more.length === 0 ? told : Buffer.concat([told, more]);
    },
  };
}

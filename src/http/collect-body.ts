/** Joining smaller bodies at the end is faster than copying each chunk. */
const largeBytes = 1024 * 1024;

/** Takes the chunks of a body as they come, and gives the whole body in the end. */
export interface BodyCollector {
  add(chunk: Buffer): void;
  all(): Buffer;
}

/**
 * A large body whose length is declared is copied to its final buffer chunk by chunk: joining 30 MB at the end would
 * block the event loop for more than 20 ms, and need the memory twice.
 */
export function collectBody(declared: string | undefined): BodyCollector {
  const length = Number(declared);
  return length >= largeBytes && Number.isSafeInteger(length)
    ? copyingCollector(length)
    : joiningCollector();
}

function joiningCollector(): BodyCollector {
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

function copyingCollector(length: number): BodyCollector {
  const body = Buffer.allocUnsafeSlow(length);
  const rest = joiningCollector();
  let at = 0;
  return {
    add: (chunk) => {
      const copied = chunk.copy(body, at);
      at += copied;
      // More than was declared, which undici's parser should not let through.
      if (copied < chunk.length) rest.add(chunk.subarray(copied));
    },
    all: () => {
      const more = rest.all();
      const expected = at === length ? body : body.subarray(0, at);
      return more.length === 0 ? expected : Buffer.concat([expected, more]);
    },
  };
}

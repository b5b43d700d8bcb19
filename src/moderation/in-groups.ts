/** One after the other takes minutes where the store is far away. */
const atOnce = 25;

/** Does it for all, some at a time, and begins nothing more once it is cut off. @throws the first failure, when nothing is under way any more. */
export async function inGroups<T>(
  all: readonly T[],
  signal: AbortSignal | undefined,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce) {
    signal?.throwIfAborted();
    const settled = await Promise.allSettled(all.slice(from, from + atOnce).map(work));
    const failed = settled.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
  signal?.throwIfAborted();
}

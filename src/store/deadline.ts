/** Longer than a busy database takes, shorter than a person waits. */
export const answerMs = 5000;

/** Rejects when the work has not ended in time; the work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`the database took over ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first answer is due within three seconds, so what only helps may be waited for this long. */
const helpMs = 700;

/** What comes in time, else what stands in for it. */
export async function soon<T>(work: () => Promise<T>, instead: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(instead), helpMs);
  try {
    return await Promise.race([work(), late]);
  } catch {
    return instead;
  } finally {
    clearTimeout(timer);
  }
}

/** Longest time that a call waits for the records. */
export const patienceMs = 1_000;

/** The work's end, or the end of our patience with it: what counts must not hold up what is counted. */
export async function patiently(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, enough]);
  clearTimeout(timer);
}

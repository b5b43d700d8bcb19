/** Milliseconds that a Retry-After header asks for, as seconds or as a date; `undefined` when it says nothing usable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  // The parser makes a day of 2001 out of "-5".
  const at = /\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

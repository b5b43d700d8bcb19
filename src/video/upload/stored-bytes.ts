/** How much a session says it holds: `bytes=0-N` is N + 1, no header is nothing; undefined when it makes no sense. */
export function storedBytes(range: string | undefined): number | undefined {
  if (range === undefined) return 0;
  const last = /^\s*(?:bytes[= ])?0-(\d{1,15})\s*$/i.exec(range)?.[1];
  return last === undefined ? undefined : Number(last) + 1;
}

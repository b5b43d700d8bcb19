/** A line about a continuation in its guild's lists. */
export interface IndexEntry {
  readonly handle: string;
  readonly userId: string;
  readonly bytes: number;
  readonly endsAt: number;
}

interface IndexLimits {
  readonly maxBytes: number;
  readonly now: number;
}

/** What keeps a row costs so much at least, however little stands in it. */
const leastBytes = 256;

/**
 * A list with one entry more, oldest first. Over the limit the oldest of whoever has most in it goes, so that nobody loses
 * buttons to somebody else's many; the new one itself stays.
 */
export function admitted(
  entry: IndexEntry,
  former: readonly IndexEntry[],
  { maxBytes, now }: IndexLimits,
): { readonly listed: readonly IndexEntry[]; readonly dropped: readonly IndexEntry[] } {
  const listed = [...former.filter(({ endsAt }) => endsAt > now), entry];
  const dropped: IndexEntry[] = [];
  const held = new Map<string, number>();
  for (const one of listed) held.set(one.userId, (held.get(one.userId) ?? 0) + costOf(one));
  let total = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
  while (total > maxBytes && listed.length > 1) {
    const [gone] = listed.splice(oldestOfMost(listed, held, entry), 1);
    if (gone === undefined) break;
    dropped.push(gone);
    total -= costOf(gone);
    held.set(gone.userId, (held.get(gone.userId) ?? 0) - costOf(gone));
  }
  return { listed, dropped };
}

/** Where the oldest entry stands of whoever holds most and has another one than the new. */
function oldestOfMost(
  listed: readonly IndexEntry[],
  held: ReadonlyMap<string, number>,
  newest: IndexEntry,
): number {
  let found = 0;
  let most = -1;
  const seen = new Set<string>();
  for (const [place, one] of listed.entries()) {
    if (one === newest || seen.has(one.userId)) continue;
    seen.add(one.userId);
    const bytes = held.get(one.userId) ?? 0;
    if (bytes > most) [found, most] = [place, bytes];
  }
  return found;
}

function costOf({ bytes }: IndexEntry): number {
  return Math.max(leastBytes, bytes);
}

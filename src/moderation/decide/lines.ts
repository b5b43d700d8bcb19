import type { DecisionKind } from "../../store/index.ts";
import { keyOf } from "../items.ts";
import type { ItemRef } from "../types.ts";
import type { Doubt } from "./doubts.ts";
import type { LineAt } from "./parts.ts";
import { gatherMs, idsOfCall, longestGatherMs } from "./times.ts";

/** A decision that waits for its turn. What is true of it stands in the store; this only says when to look there. */
export interface Waiting {
  readonly ref: ItemRef;
  readonly kind: DecisionKind;
  readonly dueAt: number;
}

/** What waits of one linked channel. */
export interface Line extends LineAt {
  readonly kinds: ReadonlyMap<DecisionKind, Map<string, Waiting>>;
  readonly doubts: Map<string, Doubt>;
}

const kinds = ["approve", "reject", "ban", "hold"] as const satisfies readonly DecisionKind[];

export function createLine(at: LineAt): Line {
  return { ...at, kinds: new Map(kinds.map((kind) => [kind, new Map()])), doubts: new Map() };
}

export function put(line: Line, waiting: Waiting): void {
  take(line, waiting.ref);
  line.kinds.get(waiting.kind)?.set(keyOf(waiting.ref), waiting);
}

export function take({ kinds }: Line, ref: ItemRef): void {
  for (const group of kinds.values()) group.delete(keyOf(ref));
}

/** Unless it was decided anew meanwhile. */
export function forget({ kinds }: Line, waiting: Waiting): void {
  const group = kinds.get(waiting.kind);
  const key = keyOf(waiting.ref);
  if (group?.get(key) === waiting) group.delete(key);
}

export function doubtful({ doubts }: Line, doubt: Doubt): void {
  doubts.set(keyOf(doubt.ref), doubt);
}

export function letGo({ kinds, doubts }: Line, watchId: string): void {
  for (const group of [...kinds.values(), doubts]) {
    for (const [key, { ref }] of group) if (ref.watchId === watchId) group.delete(key);
  }
}

/** When there is something to do; undefined when nothing waits. */
export function nextAt(line: Line): number | undefined {
  const times = [...line.doubts.values()].map(({ at }) => at);
  const ready = readyAt(line);
  if (ready !== undefined) times.push(ready);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** When the first batch may go. */
function readyAt({ kinds }: Line): number | undefined {
  const times = [...kinds.values()].flatMap((group) => readyTime(byDue(group)) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** What may go in one call now, in the order in which it was decided; nothing while it is better to wait. */
export function batchOf(
  { kinds }: Line,
  now: number,
): { readonly kind: DecisionKind; readonly batch: readonly Waiting[] } | undefined {
  for (const [kind, group] of kinds) {
    const waiting = byDue(group);
    const at = readyTime(waiting);
    if (at === undefined || at > now) continue;
    return { kind, batch: waiting.filter(({ dueAt }) => dueAt <= now).slice(0, idsOfCall) };
  }
  return undefined;
}

/** A full call goes at once; what is less waits for others, longer while it is known that more are to come. */
function readyTime(waiting: readonly Waiting[]): number | undefined {
  const [first, last] = [waiting[0], waiting.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const full = waiting[idsOfCall - 1]?.dueAt ?? Number.POSITIVE_INFINITY;
  const gathered = Math.max(first.dueAt + gatherMs, last.dueAt);
  return Math.min(full, gathered, first.dueAt + longestGatherMs);
}

function byDue(group: ReadonlyMap<string, Waiting>): readonly Waiting[] {
  return [...group.values()].sort((one, other) => one.dueAt - other.dueAt);
}

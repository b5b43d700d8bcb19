import type { Backend } from "./backend.ts";
import { createCounters } from "./counters.ts";
import { answer, change } from "./failure.ts";
import { checkDay, checkGuildId } from "./ids.ts";
import type { CreditRecordAt, Credits } from "./types.ts";

/** Counters of image credits by guild and day. */
export function createCredits(backend: Backend): Credits {
  const counters = createCounters(backend, "credit");
  return {
    read: (at) => answer(async () => counters.read(keyOf(at))),
    add: (at, differences) => change(async () => counters.add(keyOf(at), differences, at.guildId)),
  };
}

function keyOf({ guildId, day }: CreditRecordAt): string {
  return `${checkGuildId(guildId)}:${checkDay(day)}`;
}

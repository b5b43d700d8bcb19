import type { Backend } from "./backend.ts";
import { type Counters, createCounters } from "./counters.ts";
import { answer, change } from "./failure.ts";
import { checkDay, checkGuildId, checkProject } from "./ids.ts";
import type { UnitRecordAt, Units } from "./types.ts";

/** Counters of units by project and day, and by who spent them. The projects' totals name nobody, and belong to no guild. */
export function createUnits(backend: Backend): Units {
  const totals = createCounters(backend, "unit");
  const spenders = createCounters(backend, "spender");

  function placeOf({ project, day, guildId }: UnitRecordAt): [counters: Counters, key: string] {
    const end = `${checkDay(day)}:${checkProject(project)}`;
    return guildId === undefined ? [totals, end] : [spenders, `${checkGuildId(guildId)}:${end}`];
  }

  return {
    read: (at) =>
      answer(async () => {
        const [counters, key] = placeOf(at);
        return counters.read(key);
      }),
    add: (at, differences) =>
      change(async () => {
        const [counters, key] = placeOf(at);
        return counters.add(key, differences, at.guildId);
      }),
  };
}

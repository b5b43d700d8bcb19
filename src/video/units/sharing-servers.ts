import { createCalendar } from "./calendar.ts";
import { sumsAt } from "./guild-sums.ts";
import { type Ledger, loaded } from "./ledger.ts";
import { patienceMs, patiently } from "./patience.ts";
import { countOf, type Tally } from "./tally.ts";
import type { RecordAt } from "./types.ts";

export interface SharingServers {
  /** How many servers share the project: those that asked for it this week or the last, the asking one among them. */
  count(project: string, guildId: string): Promise<number>;
  /** The server is erased and no longer counts. */
  forget(guildId: string): Promise<void>;
}

interface SharingDeps {
  readonly totals: Ledger;
  readonly spenders: Ledger;
  readonly now: () => number;
}

const dayMs = 24 * 3_600_000;
const weekDays = 7;
/** How soon servers count here that other processes have counted. */
const freshMs = 10 * 60_000;

/** Counters of a project in the record of a week's first day. */
const seen = "servers";
const seenFirst = "servers.new";

interface Week {
  readonly name: string;
  readonly before: string;
}

interface Count {
  readonly week: string;
  readonly readAt: number;
  readonly before: Tally;
  readonly current: Tally;
}

/**
 * Counts servers without listing them: a server is counted once a week, and as a new one where it was not there the week
 * before. So the servers of both weeks are those of the last one and the new ones of this one.
 */
export function createSharingServers({ totals, spenders, now }: SharingDeps): SharingServers {
  const today = createCalendar(now);
  const counts = new Map<string, Count>();
  /** Those of this week, by project and guild: as many as this process serves. */
  let marked: { week: string; readonly guilds: Set<string> } = { week: "", guilds: new Set() };

  function markedIn(week: string): Set<string> {
    if (marked.week !== week) marked = { week, guilds: new Set() };
    return marked.guilds;
  }

  async function isMarked(project: string, at: RecordAt): Promise<boolean> {
    return countOf(await loaded(spenders, at), markOf(project)) > 0;
  }

  async function mark(project: string, guildId: string, week: Week): Promise<void> {
    const at = sumsAt(week.name, guildId);
    const [isKnown, wasThere] = await Promise.all([
      isMarked(project, at),
      isMarked(project, sumsAt(week.before, guildId)),
    ]);
    const guilds = markedIn(week.name);
    const key = `${project} ${guildId}`;
    // Two calls at once have both looked; from here on nothing is waited for.
    if (guilds.has(key)) return;
    guilds.add(key);
    if (isKnown) return;
    spenders.add(at, new Map([[markOf(project), 1]]));
    totals.add({ project, day: week.name }, steps(1, wasThere ? [seen] : [seen, seenFirst]));
    counts.delete(project);
    // A kill in between must not count it twice, or every restart would make the parts smaller.
    await patiently(spenders.save(at), patienceMs);
  }

  async function read(project: string, week: Week): Promise<Count> {
    const [before, current] = await Promise.all([
      loaded(totals, { project, day: week.before }),
      loaded(totals, { project, day: week.name }),
    ]);
    const count = { week: week.name, readAt: now(), before, current };
    if (before.isLoaded && current.isLoaded) counts.set(project, count);
    return count;
  }

  return {
    async count(project, guildId) {
      const week = weekOf(today().name);
      if (!markedIn(week.name).has(`${project} ${guildId}`)) await mark(project, guildId, week);
      const known = counts.get(project);
      const isFresh = known?.week === week.name && now() - known.readAt < freshMs;
      const { before, current } = isFresh ? known : await read(project, week);
      return Math.max(1, countOf(before, seen) + countOf(current, seenFirst));
    },
    async forget(guildId) {
      const { name, before } = weekOf(today().name);
      const [current, former] = await Promise.all([
        loaded(spenders, sumsAt(name, guildId)),
        loaded(spenders, sumsAt(before, guildId)),
      ]);
      for (const project of new Set([...projectsOf(current), ...projectsOf(former)])) {
        const isHere = countOf(current, markOf(project)) > 0;
        const wasThere = countOf(former, markOf(project)) > 0;
        if (isHere) {
          const what = wasThere ? [seen] : [seen, seenFirst];
          totals.add({ project, day: name }, steps(-1, what));
        }
        if (wasThere) totals.add({ project, day: before }, steps(-1, [seen]));
        marked.guilds.delete(`${project} ${guildId}`);
        counts.delete(project);
      }
    },
  };
}

function steps(amount: number, names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name) => [name, amount]));
}

/** Weeks of days in Los Angeles, by their first day. */
function weekOf(day: string): Week {
  const number = Date.parse(day) / dayMs;
  const first = number - (number % weekDays);
  const nameOf = (one: number) => new Date(one * dayMs).toISOString().slice(0, 10);
  return { name: nameOf(first), before: nameOf(first - weekDays) };
}

function markOf(project: string): string {
  return `in ${project}`;
}

function projectsOf({ stored, saving, unsaved }: Tally): readonly string[] {
  const names = [...Object.keys(stored), ...saving.keys(), ...unsaved.keys()];
  return names.flatMap((name) => /^in ([0-9a-f]{32})$/u.exec(name)?.[1] ?? []);
}

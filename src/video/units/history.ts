import { lastDays } from "./calendar.ts";
import { projectsIn, sumsAt } from "./guild-sums.ts";
import type { Ledger } from "./ledger.ts";
import { readLines } from "./spent-lines.ts";
import { countsOf } from "./tally.ts";
import type { Counts, RecordAt, SpentOf, Units, UnitsOptions } from "./types.ts";

interface HistoryParts extends Pick<UnitsOptions, "records" | "now"> {
  readonly spenders: Ledger;
}

/** What guilds spent, as it is stored and as far as it could not be stored yet. */
export interface History {
  readonly ofProject: Units["spent"];
  readonly ofAll: Units["history"];
}

export function createHistory({ spenders, records, now }: HistoryParts): History {
  async function countsAt(at: RecordAt): Promise<Counts> {
    await spenders.save(at);
    const read = await records.read(at);
    if (read.state === "failed") throw read.error;
    return countsOf(spenders.peek(at), read.state === "found" ? read.value : {});
  }

  async function spentAt(at: RecordAt): Promise<readonly SpentOf[]> {
    return readLines(at, await countsAt(at));
  }

  async function ofDay(day: string, guildId: string): Promise<readonly SpentOf[]> {
    const projects = projectsIn(await countsAt(sumsAt(day, guildId)));
    const each = await Promise.all(projects.map((project) => spentAt({ project, day, guildId })));
    return each.flat();
  }

  async function overDays(
    days: number,
    ofOne: (day: string) => Promise<readonly SpentOf[]>,
  ): Promise<readonly SpentOf[]> {
    return (await Promise.all(lastDays(now(), days).map(({ name }) => ofOne(name)))).flat();
  }

  return {
    async ofProject(project, guildId, days = 1) {
      const all = await overDays(days, (day) => spentAt({ project, day, guildId }));
      return all.map(({ project: _, ...spent }) => spent);
    },
    ofAll: (guildId, days) => overDays(days, (day) => ofDay(day, guildId)),
  };
}

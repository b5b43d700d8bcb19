import { describe, expect, it } from "vitest";
import { chooseNextJobs, type DueJob } from "../../src/jobs/choose-next-jobs.ts";

/** A queue ordered by due time; `peeks` records which servers were left out each time. */
function queueOf(jobs: readonly (readonly [key: string, serverId: number | null])[]) {
  const all: readonly DueJob[] = jobs.map(([key, serverId], n) => ({ key, serverId, dueAt: n }));
  const peeks: (readonly number[])[] = [];
  const peek = async (without: readonly number[], limit: number) => {
    peeks.push(without);
    return all.filter(({ serverId }) => !without.includes(serverId ?? -1)).slice(0, limit);
  };
  return { peek, peeks };
}

const many = (count: number, serverId: number) =>
  Array.from({ length: count }, (_, n) => [`${serverId}:${n}`, serverId] as const);

const keys = (jobs: readonly DueJob[]) => jobs.map(({ key }) => key);

describe("chooseNextJobs", () => {
  it("gives each server a turn before the first has its second", async () => {
    const { peek } = queueOf([...many(3, 1), ...many(2, 2), ["alone", null]]);

    const chosen = await chooseNextJobs({ room: 4, perServer: 4, running: new Map(), peek });

    expect(keys(chosen)).toEqual(["1:0", "2:0", "alone", "1:1"]);
  });

  it("chooses a job without a server once, though it is read with every server's", async () => {
    const { peek } = queueOf([["alone", null], ...many(100, 1), ...many(100, 2)]);

    const chosen = await chooseNextJobs({ room: 6, perServer: 4, running: new Map(), peek });

    expect(keys(chosen)).toEqual(["alone", "1:0", "2:0", "1:1", "2:1", "1:2"]);
  });

  it("gives the server with the fewest under way its turn first", async () => {
    const { peek } = queueOf([...many(3, 1), ...many(3, 2)]);

    const chosen = await chooseNextJobs({
      room: 2,
      perServer: 4,
      running: new Map([[1, 2]]),
      peek,
    });

    expect(keys(chosen)).toEqual(["2:0", "2:1"]);
  });

  it("passes over a server that has as many under way as it may", async () => {
    const { peek } = queueOf([...many(3, 1), ...many(1, 2)]);

    const chosen = await chooseNextJobs({
      room: 4,
      perServer: 2,
      running: new Map([[1, 2]]),
      peek,
    });

    expect(keys(chosen)).toEqual(["2:0"]);
  });

  it("finds others behind a server's thousands without reading these", async () => {
    const { peek, peeks } = queueOf([...many(10_000, 1), ...many(1, 2)]);

    const chosen = await chooseNextJobs({ room: 3, perServer: 4, running: new Map(), peek });

    expect(keys(chosen)).toEqual(["1:0", "2:0", "1:1"]);
    expect(peeks).toEqual([[], [1]]);
  });

  it("looks four times at most, however many servers fill the front", async () => {
    const { peek, peeks } = queueOf([1, 2, 3, 4, 5, 6].flatMap((id) => many(100, id)));

    const chosen = await chooseNextJobs({ room: 6, perServer: 1, running: new Map(), peek });

    expect(keys(chosen)).toEqual(["1:0", "2:0", "3:0", "4:0"]);
    expect(peeks).toHaveLength(4);
  });
});

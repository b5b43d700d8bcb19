import { createPacer } from "../../src/background/index.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { seed, seeded } from "../support/random.ts";
import { virtualTime } from "./virtual-time.ts";

export const rows: BenchRows = { fairness };

/** How often one server queues many pictures at once, each time with other sizes. */
const rounds = 20;
const queued = 200;
/** How many other servers send a picture now and then meanwhile. */
const others = 3;

const minuteMs = 60_000;
const megapixelsPerMinute = 500;
const call = { leastMs: 500, mostMs: 6_000 } as const;

interface Measured {
  /** The longest time that one of the others waited for its turn. */
  readonly waitMs: number;
  /** The share of remove.bg's megapixels a minute that was used while the long queue lasted. */
  readonly used: number;
}

/**
 * One server queues 200 pictures of 1 to 50 megapixels, others send single ones at any time, and all have one key: the
 * longest time that the others wait, in virtual time. The peer has a single queue for all servers.
 */
async function fairness(): Promise<readonly BenchRow[]> {
  const fair: Measured[] = [];
  const single: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    fair.push(await measure(seed + round, (server) => `server ${server}`));
    single.push(await measure(seed + round, () => "everybody"));
  }
  const longest = (all: readonly Measured[]) => Math.max(...all.map(({ waitMs }) => waitMs)) / 1000;
  // Until remove.bg's next minute begins and a place is free.
  const goal = (minuteMs + call.mostMs) / 1000;
  const value = longest(fair);
  const used = Math.min(...fair.map((one) => one.used));
  return [
    { name: "fairness", value, unit: "s", peer: longest(single), goal, ok: value <= goal, seed },
    { name: "fairness.used", value: used, unit: "ratio", goal: 0.9, ok: used >= 0.9, seed },
  ];
}

async function measure(start: number, tenantOf: (server: number) => string): Promise<Measured> {
  const random = seeded(start);
  const time = virtualTime();
  const pacer = createPacer({ now: time.now, sleep: time.sleep });
  const between = (least: number, most: number) => least + random() * (most - least);
  let waitMs = 0;
  let isOver = false;
  let megapixels = 0;

  async function cutOut(server: number, size: number): Promise<number> {
    const askedAt = time.now();
    const turn = await pacer.admit({ megapixels: size, tenant: tenantOf(server) });
    const waited = time.now() - askedAt;
    megapixels += Math.ceil(size);
    await time.sleep(between(call.leastMs, call.mostMs));
    turn.end();
    return waited;
  }

  async function nowAndThen(server: number): Promise<void> {
    for (;;) {
      await time.sleep(between(0, 2 * minuteMs));
      if (isOver) return;
      waitMs = Math.max(waitMs, await cutOut(server, between(1, 25)));
    }
  }

  const greedy = Promise.all(
    Array.from({ length: queued }, () => cutOut(0, between(1, 50))),
  ).finally(() => {
    isOver = true;
  });
  const all = Promise.all([greedy, ...Array.from({ length: others }, (_, n) => nowAndThen(n + 1))]);
  let endedAt = 0;
  void greedy.then(() => {
    endedAt = time.now();
  });
  await time.pass(greedy);
  const measured = { waitMs, used: megapixels / windowsUntil(endedAt) };
  await time.pass(all);
  return measured;
}

/** The megapixels that were available in every minute that began. */
function windowsUntil(endedAt: number): number {
  return (Math.floor(endedAt / minuteMs) + 1) * megapixelsPerMinute;
}

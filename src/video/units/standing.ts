import { type Bounding, boundsOf, isBounded } from "./bounds.ts";
import type { Buckets } from "./buckets.ts";
import type { Day } from "./calendar.ts";
import { sumsAt } from "./guild-sums.ts";
import { type Ledger, loaded } from "./ledger.ts";
import type { Bucket, Charge } from "./meter.ts";
import { refuseOver } from "./refuse.ts";
import type { SharingServers } from "./sharing-servers.ts";
import type { Tally } from "./tally.ts";
import { type Amount, sumOf, type Terms } from "./terms.ts";
import type { Account, Bound, Left, Spender } from "./types.ts";

/** Who calls, of which project, and what limits them. */
export interface Holder {
  readonly project: string;
  readonly spender: Spender;
  readonly terms: Terms;
}

/** What is known of today: of the project, and of what limits the spender where something does. */
export interface Standing {
  readonly holder: Holder;
  readonly day: Day;
  readonly tally: Tally;
  readonly bounding: Bounding | undefined;
}

export interface Standings {
  of(holder: Holder): Promise<Standing>;
  /** Waits for nothing. `personal` as in `afford`. @throws LimitError */
  refuse(charge: Charge, standing: Standing, personal?: number): void;
  left(holder: Holder): ReturnType<Account["left"]>;
  afford(holder: Holder, charges: readonly Charge[], personal?: Amount): Promise<void>;
}

interface StandingParts {
  readonly totals: Ledger;
  readonly spenders: Ledger;
  readonly buckets: Buckets;
  readonly today: () => Day;
  readonly sharing: Pick<SharingServers, "count">;
  /** What an erased guild had spent today. */
  readonly erasedOf: (guildId: string) => ReadonlyMap<string, number> | undefined;
}

const names = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];

export function createStandings(parts: StandingParts): Standings {
  const { totals, spenders, buckets, today, sharing, erasedOf } = parts;

  async function of(holder: Holder): Promise<Standing> {
    const { project, spender, terms } = holder;
    const day = today();
    const at = { project, day: day.name };
    if (!isBounded(terms)) {
      return { holder, day, tally: await loaded(totals, at), bounding: undefined };
    }
    const { guildId } = spender;
    const sumsOfDay = sumsAt(day.name, guildId);
    const [servers = 1] = await Promise.all([
      terms.isShared ? sharing.count(project, guildId) : undefined,
      loaded(spenders, sumsOfDay),
      loaded(totals, at),
    ]);
    // Whichever was waited for longest, the ledgers may have let go of the others.
    const [tally, sums] = [totals.tally(at), spenders.tally(sumsOfDay)];
    const bounding: Bounding = {
      ...{ project, spender, terms, sums, day, totals: tally },
      servers: servers > 1 ? servers : undefined,
      erased: erasedOf(guildId),
      partOf: (bucket, count) => buckets.partOf(bucket, count, terms),
    };
    return { holder, day, tally, bounding };
  }

  function refuse(charge: Charge, standing: Standing, personal?: number): void {
    const { method, bucket, cost } = charge;
    const { spender, terms } = standing.holder;
    const wanted = {
      ...{ method, bucket, cost },
      ...(personal !== undefined && { personal }),
      isModeration: spender.purpose === "moderation",
      isSpare: terms.isSpare === true,
    };
    refuseOver(wanted, leftIn(bucket, standing), boundsIn(bucket, standing));
  }

  function leftIn(bucket: Bucket, { tally, day, holder, bounding }: Standing): Left {
    const isDivided = bounding?.servers !== undefined;
    return buckets.left(tally, bucket, { day, terms: holder.terms, isDivided });
  }

  function boundedLeft(bucket: Bucket, standing: Standing): Left {
    const left = leftIn(bucket, standing);
    const bounds = boundsIn(bucket, standing);
    const [tightest] = [...bounds].sort((a, b) => a.left - b.left);
    const [share] = [...bounds]
      .filter(({ of }) => of === "part" || of === "guild")
      .sort((a, b) => a.left - b.left);
    const reserved = bounds.find(({ of }) => of === "part")?.reserved;
    return {
      ...left,
      ...(reserved !== undefined && { reserved: Math.min(reserved, left.left) }),
      ...(tightest !== undefined && tightest.left < left.left && { bound: tightest }),
      ...(share !== undefined && { share }),
    };
  }

  return {
    of,
    refuse,
    async left(holder) {
      const standing = await of(holder);
      const [units, searches, uploads] = [
        boundedLeft("units", standing),
        boundedLeft("searches", standing),
        boundedLeft("uploads", standing),
      ];
      return { units, searches, uploads };
    },
    async afford(holder, charges, personal) {
      const standing = await of(holder);
      const sums = sumOf(charges);
      for (const bucket of names) {
        const first = charges.find((charge) => charge.bucket === bucket);
        if (first !== undefined)
          refuse({ ...first, cost: sums[bucket] }, standing, personal?.[bucket]);
      }
    },
  };
}

function boundsIn(bucket: Bucket, { bounding }: Standing): readonly Bound[] {
  return bounding === undefined ? [] : boundsOf(bucket, bounding);
}

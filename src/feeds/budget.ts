import type { FeedProgress } from "../store/index.ts";
import type { Left } from "../video/index.ts";
import { intervalFor, looksADay, slowness } from "./pace.ts";
import type { FeedsOptions } from "./parts.ts";
import type { FeedRef, Rows } from "./rows.ts";

export interface BudgetParts extends Pick<FeedsOptions, "left" | "project" | "clock" | "log"> {
  readonly rows: Pick<Rows, "progress">;
}

/** Shares what the day still has for feeds between all of those that read with the same project. */
export interface Budget {
  /** How long until the next look. Never throws: what is left can't always be told. */
  intervalOf(ref: FeedRef, progress: FeedProgress): Promise<number>;
  /** What is known of all feeds, of other processes too, so that the sum is right. */
  know(feeds: readonly FeedRef[]): Promise<void>;
  /** The same without asking what is left. */
  usual(progress: FeedProgress | undefined): number;
}

const nearMs = 60_000;
const hourMs = 3_600_000;

interface Share {
  readonly at: number;
  readonly left: Left | undefined;
}

export function createBudget({ left, project, clock, log, rows }: BudgetParts): Budget {
  /** Looks a day that each feed would like, and whose units they take. */
  const wanted = new Map<string, { readonly project: string; readonly looks: number }>();
  const shares = new Map<string, Share>();
  const keyOf = ({ guildId, feedId }: FeedRef) => `${guildId}:${feedId}`;
  const usual = (progress: FeedProgress | undefined) => {
    const now = clock.now();
    return intervalFor(progress ?? {}, (progress?.pushUntil ?? 0) > now, now);
  };

  async function projectOf(guildId: string): Promise<string> {
    try {
      return (await project?.(guildId)) ?? guildId;
    } catch {
      // Without a key or a link it takes nothing of anybody's.
      return guildId;
    }
  }

  async function leftOf(guildId: string): Promise<Left | undefined> {
    const now = clock.now();
    const known = shares.get(guildId);
    if (known !== undefined && now - known.at < nearMs) return known.left;
    const found = await left(guildId).catch((error: unknown) => {
      log.debug("what is left for feeds is not known", { guild: guildId, error });
      return undefined;
    });
    shares.set(guildId, { at: now, left: found });
    return found;
  }

  async function note(ref: FeedRef, progress: FeedProgress): Promise<string> {
    const name = await projectOf(ref.guildId);
    wanted.set(keyOf(ref), { project: name, looks: looksADay(usual(progress)) });
    return name;
  }

  function sumOf(name: string): number {
    let sum = 0;
    for (const one of wanted.values()) if (one.project === name) sum += one.looks;
    return sum;
  }

  return {
    usual,
    intervalOf: async (ref, progress) => {
      const target = usual(progress);
      const name = await note(ref, progress);
      const open = await leftOf(ref.guildId);
      if (open === undefined) return target;
      const now = clock.now();
      const factor = slowness(open, sumOf(name), now);
      if (factor !== undefined) return target * factor;
      return Math.min(Math.max(open.resetsAt.getTime() - now, target), hourMs);
    },
    know: async (refs) => {
      const there = new Set(refs.map(keyOf));
      for (const key of wanted.keys()) if (!there.has(key)) wanted.delete(key);
      for (const ref of refs) {
        if (!wanted.has(keyOf(ref))) await note(ref, await rows.progress(ref));
      }
    },
  };
}

import { backOffMs } from "../../clock.ts";
import { AccessError, BotError, ConnectError, LimitError } from "../../errors.ts";
import type { TroubleCode, WatchProgress } from "../records/index.ts";

/** What keeps a watch from working, as an error tells it. */
export interface Noticed {
  readonly code: TroubleCode;
  /** When it passes by itself, in milliseconds since the epoch. */
  readonly until?: number;
}

const spent: readonly string[] = [
  "quota_exceeded",
  "quota_short",
  "units_reserved",
  "budget_part",
  "budget_guild",
  "budget_person",
  "budget_rank",
];

/** Refusals that only another link makes good. */
const unlinked: readonly string[] = ["channel_not_found", "account_closed"];

const silent: readonly string[] = ["store_unavailable", "restarting", "guild_erased"];

const places: Readonly<Record<string, TroubleCode>> = {
  discord_channel_gone: "channel_gone",
  discord_channel_closed: "channel_closed",
};

/** Undefined where there is nothing to tell people: the database has failed, the bot is being stopped, or the watch is gone. */
export function troubleOf(error: unknown): Noticed | undefined {
  if (!(error instanceof BotError)) return { code: "service_failing" };
  const { code } = error;
  if (silent.includes(code)) return undefined;
  if (error instanceof AccessError && places[code] !== undefined) return { code: places[code] };
  if (code === "channel_missing") return { code: "link_missing" };
  // The bot's own registration is no matter of this server's.
  if (code === "oauth_client_missing" || code === "oauth_client_refused") {
    return { code: "service_failing" };
  }
  if (error instanceof ConnectError || unlinked.includes(code)) return { code: "link_broken" };
  if (error instanceof LimitError && spent.includes(code)) {
    const until = error.retryAt?.getTime();
    return { code: "units_gone", ...(until !== undefined && { until }) };
  }
  if (code === "comments_disabled") return { code: "comments_off" };
  return { code: "service_failing" };
}

/** Where the watch itself can't say it. */
export function isOfPlace(code: TroubleCode): boolean {
  return code === "channel_closed" || code === "channel_gone";
}

/** What a poll that went well puts an end to. */
export function codesOfPolls({ troubles }: WatchProgress): readonly TroubleCode[] {
  return codesIn(troubles).filter((code) => !isOfPlace(code));
}

export function codesOfPlaces({ troubles }: WatchProgress): readonly TroubleCode[] {
  return codesIn(troubles).filter(isOfPlace);
}

function codesIn(troubles: WatchProgress["troubles"]): readonly TroubleCode[] {
  return Object.keys(troubles) as TroubleCode[]; // it has no others
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

interface Waits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Not said before it has lasted so long, or was met so often. */
  readonly patience?: { readonly ms: number; readonly times: number };
}

const waits = {
  // To ask for a token costs nothing, and a new link is to be noticed soon.
  link_broken: { firstMs: 30 * secondMs, longestMs: 2 * minuteMs },
  link_missing: { firstMs: 30 * secondMs, longestMs: 2 * minuteMs },
  units_gone: { firstMs: minuteMs, longestMs: 30 * minuteMs },
  channel_closed: { firstMs: minuteMs, longestMs: 5 * minuteMs },
  channel_gone: { firstMs: 5 * minuteMs, longestMs: 30 * minuteMs },
  comments_off: { firstMs: 5 * minuteMs, longestMs: 30 * minuteMs },
  service_failing: {
    firstMs: 20 * secondMs,
    longestMs: 10 * minuteMs,
    patience: { ms: 10 * minuteMs, times: 3 },
  },
} as const satisfies Record<TroubleCode, Waits>;

/** How long nothing is tried after it was met so many times in a row. */
export function pauseOf(code: TroubleCode, times: number): number {
  return backOffMs(times, waits[code]);
}

/** Whether it is worth saying by now. */
export function isWorthTelling(
  code: TroubleCode,
  { times, lastedMs }: { readonly times: number; readonly lastedMs: number },
): boolean {
  const { patience }: Waits = waits[code];
  return patience === undefined || times >= patience.times || lastedMs >= patience.ms;
}

import { backOffMs, minuteMs, secondMs } from "../../clock.ts";
import { AccessError, BotError, ConnectError, LimitError } from "../../errors.ts";
import type { WatchFailureCode } from "../records/index.ts";

/** What keeps a watch from working, recognised from an error. */
export interface NoticedFailure {
  readonly code: WatchFailureCode;
  /** When it will pass by itself. Milliseconds since the epoch. */
  readonly until?: number | undefined;
}

const quotaCodes: readonly string[] = [
  "quota_exceeded",
  "quota_short",
  "units_reserved",
  "budget_part",
  "budget_guild",
  "budget_person",
  "budget_rank",
  "units_shared",
];

/** Whether only linking the channel again can help. */
export function isLinkFailure(code: string): boolean {
  return code === "channel_not_found" || code === "account_closed";
}

const keyCodes: readonly string[] = ["video_key_missing", "key_invalid", "key_expired"];

const silentCodes: readonly string[] = [
  "store_unavailable",
  "restarting",
  "guild_erased",
  "taken_over",
];

const channelCodes: Readonly<Record<string, WatchFailureCode>> = {
  discord_channel_gone: "channel_gone",
  discord_channel_closed: "channel_closed",
  discord_channel_public: "channel_public",
};

/** Undefined if people need not know: the database failed, the bot is stopping, or the watch is gone. */
export function classifyFailure(error: unknown): NoticedFailure | undefined {
  if (!(error instanceof BotError)) return { code: "service_failing" };
  const { code } = error;
  if (silentCodes.includes(code)) return undefined;
  const channelCode = channelCodes[code];
  if (error instanceof AccessError && channelCode !== undefined) return { code: channelCode };
  if (code === "channel_missing") return { code: "link_missing" };
  if (keyCodes.includes(code)) return { code: "key_broken" };
  // The server can't do anything about the bot's own registration.
  if (code === "oauth_client_missing" || code === "oauth_client_refused") {
    return { code: "service_failing" };
  }
  if (error instanceof ConnectError || isLinkFailure(code)) return { code: "link_broken" };
  if (error instanceof LimitError && quotaCodes.includes(code)) {
    return { code: "units_gone", until: error.retryAt?.getTime() };
  }
  if (code === "comments_disabled") return { code: "comments_off" };
  return { code: "service_failing" };
}

/** Whether only a consent of the channel's owner ends it. */
export function isOfLink(code: WatchFailureCode): code is "link_broken" | "link_missing" {
  return code === "link_broken" || code === "link_missing";
}

/** Whether the failure is the watch's channel itself, so that it can't be reported there. */
export function isChannelFailure(code: WatchFailureCode): boolean {
  return code === "channel_closed" || code === "channel_gone" || code === "channel_public";
}

interface RetryWait {
  readonly firstMs: number;
  readonly longestMs: number;
  /** People are notified only after it lasted this long or happened this often. */
  readonly patience?: { readonly ms: number; readonly times: number };
}

const retryWaits = {
  // Asking for a token costs nothing, and a new link should be noticed soon.
  link_broken: { firstMs: 30 * secondMs, longestMs: 2 * minuteMs },
  link_missing: { firstMs: 30 * secondMs, longestMs: 2 * minuteMs },
  key_broken: { firstMs: minuteMs, longestMs: 5 * minuteMs },
  units_gone: { firstMs: minuteMs, longestMs: 30 * minuteMs },
  channel_closed: { firstMs: minuteMs, longestMs: 5 * minuteMs },
  channel_gone: { firstMs: 5 * minuteMs, longestMs: 30 * minuteMs },
  channel_public: { firstMs: minuteMs, longestMs: 5 * minuteMs },
  comments_off: { firstMs: 5 * minuteMs, longestMs: 30 * minuteMs },
  service_failing: {
    firstMs: 20 * secondMs,
    longestMs: 10 * minuteMs,
    patience: { ms: 10 * minuteMs, times: 3 },
  },
} as const satisfies Record<WatchFailureCode, RetryWait>;

/** How long to wait after a failure happened so many times in a row. */
export function retryDelayMs(code: WatchFailureCode, times: number): number {
  return backOffMs(times, retryWaits[code]);
}

/** Whether people should be notified by now. */
export function isWorthNotifying(
  code: WatchFailureCode,
  { times, lastedMs }: { readonly times: number; readonly lastedMs: number },
): boolean {
  const { patience }: RetryWait = retryWaits[code];
  return patience === undefined || times >= patience.times || lastedMs >= patience.ms;
}

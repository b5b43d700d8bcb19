import { dayMs } from "../../clock.ts";
import {
  channelMention,
  compact,
  join,
  notice,
  type Reply,
  roleMention,
  type Text,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { timeZoneTitle } from "../../language/index.ts";
import {
  toPublicWatch,
  type Watch,
  type WatchChange,
  type WatchPing,
} from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, type FeatureAction, option } from "../declarations/index.ts";
import { noWatchNotice, watchChoice, withWatch } from "./find-watch.ts";
import { absentCommentNotice } from "./redraw.ts";

export const defaultPaceMs = 60_000;
const minPaceMs = 10_000;
const maxPaceMs = 6 * 3_600_000;

/** Each poll reads one page of each list, at one unit a page. Once an hour it reads all pages, usually one per list. */
function unitsPerDay({ states, paceMs }: Pick<Watch, "states" | "paceMs">): number {
  const looks = Math.ceil(dayMs / paceMs);
  return (looks + Math.min(looks, 24)) * states.length;
}

/** The lists that it reads at present. */
function readStates(watch: Watch): Watch["states"] {
  return watch.isKeyOnly ? toPublicWatch(watch).states : watch.states;
}

export const paceOptions = { pace: option.duration({ required: true }), ...watchChoice };

/** Sets how often a watch polls. @throws InputError `pace_out_of_range`; as `withWatch` */
export const setWatchPace = withWatch(async (ctx: CtxFor<typeof paceOptions>, before) => {
  const { words } = ctx;
  const { id } = before;
  const states = readStates(before);
  const { pace } = ctx.options;
  if (pace < minPaceMs || pace > maxPaceMs) {
    throw new InputError("the pace is out of range", {
      code: "pace_out_of_range",
      facts: {
        given: words.duration(pace),
        least: words.duration(minPaceMs),
        most: words.duration(maxPaceMs),
        dear: unitsPerDay({ states, paceMs: minPaceMs }),
        cheap: unitsPerDay({ states, paceMs: maxPaceMs }),
      },
    });
  }
  const change: WatchChange = (stored) => ({ ...stored, paceMs: pace });
  const watch = await ctx.moderation.watches.change(id, change);
  if (watch === undefined) return noWatchNotice(ctx);
  return notice({
    tone: "good",
    title: words.say("watch.pace.title"),
    text: describePace(watch, ctx),
  });
});

export function describePace(watch: Watch, { words }: Pick<Ctx, "words">): string {
  const { paceMs } = watch;
  return words.say("watch.set.pace", {
    every: words.every(paceMs),
    units: unitsPerDay({ paceMs, states: readStates(watch) }),
  });
}

export const pingOptions = {
  role: option.pingRole({}),
  gap: option.duration({}),
  quiet: option.dayTimes({}),
  ...watchChoice,
};

const defaultGapMs = 15 * 60_000;
const minGapMs = 60_000;
const maxGapMs = 7 * 24 * 3_600_000;

const manager = { by: "requester", rank: "manager", answer: "update" } as const;

const clearPing = action<{ readonly watchId: string }>({
  ...manager,
  name: "watch.ping-off",
  run: (ctx, { watchId }) => changed(ctx, watchId, ({ ping: _, ...watch }) => watch),
});

const clearQuietHours = action<{ readonly watchId: string }>({
  ...manager,
  name: "watch.ping-always",
  run: (ctx, { watchId }) =>
    changed(ctx, watchId, ({ ping, ...watch }) => ({
      ...watch,
      ping: ping && { ...ping, quiet: undefined },
    })),
});

/**
 * Changes the given ping options and keeps the others; without any option it shows the current ones.
 * @throws InputError `ping_role_missing`, `ping_gap_out_of_range`; as `withWatch`
 */
export const setWatchPing = withWatch(async (ctx: CtxFor<typeof pingOptions>, watch) => {
  const { role, gap, quiet } = ctx.options;
  if (role === undefined && gap === undefined && quiet === undefined) return pingNotice(ctx, watch);
  const saved = await ctx.moderation.watches.change(watch.id, (stored) => ({
    ...stored,
    ping: mergePing(ctx, stored.ping),
  }));
  if (saved === undefined) return noWatchNotice(ctx);
  return { ...pingNotice(ctx, saved), tone: "good", title: ctx.words.say("watch.ping.saved") };
});

function mergePing(ctx: CtxFor<typeof pingOptions>, before: WatchPing | undefined): WatchPing {
  const { role, gap, quiet } = ctx.options;
  const roleId = role ?? before?.roleId;
  if (roleId === undefined) {
    throw new InputError("hours or a gap without a role", { code: "ping_role_missing" });
  }
  if (gap !== undefined && (gap < minGapMs || gap > maxGapMs)) {
    throw new InputError("the gap is out of range", {
      code: "ping_gap_out_of_range",
      facts: { given: ctx.words.duration(gap) },
    });
  }
  return { roleId, gapMs: gap ?? before?.gapMs ?? defaultGapMs, quiet: quiet ?? before?.quiet };
}

async function changed(ctx: Ctx, watchId: string, change: WatchChange): Promise<Reply> {
  const watch = await ctx.moderation.watches.change(watchId, change);
  return watch === undefined ? absentCommentNotice(ctx) : pingNotice(ctx, watch);
}

function pingNotice(ctx: Ctx, watch: Watch) {
  const { words } = ctx;
  const { id: watchId, ping } = watch;
  return notice({
    tone: "neutral",
    title: words.say("watch.ping.title"),
    text: join(describePing(ctx, watch)),
    buttons: compact([
      ping !== undefined && {
        label: words.say("watch.ping.off"),
        press: clearPing.press({ watchId }),
      },
      ping?.quiet !== undefined && {
        label: words.say("watch.ping.no_quiet"),
        press: clearQuietHours.press({ watchId }),
      },
    ]),
  });
}

/** Says who is pinged, how often at most, and when not. */
export function describePing(
  ctx: Pick<Ctx, "words" | "now" | "settings">,
  watch: Watch,
): readonly Text[] {
  const { words, now, settings } = ctx;
  const { ping } = watch;
  const place = channelMention(watch.channelId);
  if (ping === undefined) return [words.md("watch.ping.none", { place })];
  const { roleId, gapMs, quiet } = ping;
  const gap = words.duration(gapMs);
  const role = roleMention(roleId);
  const { timeZone = "UTC" } = settings;
  const zone = timeZoneTitle(timeZone);
  const clock = new Intl.DateTimeFormat(words.tag, { timeStyle: "short", timeZone });
  const time = clock.format(now());
  return compact([
    words.md("watch.ping.text", { role, place, gap }),
    quiet !== undefined && words.say("watch.ping.quiet", { ...quiet, zone, time }),
  ]);
}

export const pingActions: readonly FeatureAction<never>[] = [clearPing, clearQuietHours];

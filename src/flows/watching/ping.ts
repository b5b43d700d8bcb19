import {
  type Action,
  action,
  type Button,
  type Ctx,
  channelMention,
  compact,
  type DayTimes,
  join,
  notice,
  type Reply,
  roleMention,
  type Text,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch, WatchPing } from "../../moderation/index.ts";
import { findWatch } from "./find.ts";
import { settingOf } from "./pace.ts";
import { absent } from "./redraw.ts";

export interface Pinging {
  readonly role: string | undefined;
  readonly gap: number | undefined;
  readonly quiet: DayTimes | undefined;
  readonly watch: string | undefined;
}

const usualGapMs = 15 * 60_000;
const leastGapMs = 60_000;
const mostGapMs = 7 * 24 * 3_600_000;

interface One {
  readonly watchId: string;
}

const manager = { by: "requester", rank: "manager", answer: "update" } as const;

const off = action<One>({
  ...manager,
  name: "watch.ping-off",
  run: (ctx, { watchId }) => changed(ctx, watchId, ({ ping: _, ...watch }) => watch),
});

const always = action<One>({
  ...manager,
  name: "watch.ping-always",
  run: (ctx, { watchId }) =>
    changed(ctx, watchId, ({ ping, ...watch }) => {
      if (ping === undefined) return watch;
      const { quiet: _, ...rest } = ping;
      return { ...watch, ping: rest };
    }),
});

/**
 * Sets what is given and keeps the rest; without anything it shows what is set.
 * @throws InputError `ping_role_missing`, `ping_gap_out_of_range`; as `findWatch`
 */
export async function setPing(ctx: Ctx, pinging: Pinging): Promise<Reply> {
  const found = await findWatch(ctx, pinging.watch);
  if ("refusal" in found) return found.refusal;
  const { watch } = found;
  const { role, gap, quiet } = pinging;
  if (role === undefined && gap === undefined && quiet === undefined) return shown(ctx, watch);
  const ping = pingOf(pinging, watch.ping);
  const saved = await ctx.moderation.watches.put({ ...settingOf(watch), ping }, ctx.userId);
  return { ...shown(ctx, saved), tone: "good", title: ctx.words.say("watch.ping.saved") };
}

function pingOf({ role, gap, quiet }: Pinging, before: WatchPing | undefined): WatchPing {
  const roleId = role ?? before?.roleId;
  if (roleId === undefined) {
    throw new InputError("hours or a gap without a role", {
      code: "ping_role_missing",
    });
  }
  if (gap !== undefined && (gap < leastGapMs || gap > mostGapMs)) {
    throw new InputError("the gap is out of range", {
      code: "ping_gap_out_of_range",
    });
  }
  const hours = quiet ?? before?.quiet;
  return {
    roleId,
    gapMs: gap ?? before?.gapMs ?? usualGapMs,
    ...(hours !== undefined && { quiet: hours }),
  };
}

async function changed(
  ctx: Ctx,
  watchId: string,
  change: (setting: ReturnType<typeof settingOf>) => ReturnType<typeof settingOf>,
): Promise<Reply> {
  const { watches } = ctx.moderation;
  const watch = (await watches.all()).find(({ id }) => id === watchId);
  if (watch === undefined) return absent(ctx);
  return shown(ctx, await watches.put(change(settingOf(watch)), ctx.userId));
}

function shown(ctx: Ctx, watch: Watch) {
  const { words } = ctx;
  return notice({
    tone: "info",
    title: words.say("watch.ping.title"),
    text: join(pingLines(ctx, watch)),
    buttons: buttonsOf(ctx, watch),
  });
}

/** Who is pinged, how often at most, and the quiet hours. */
export function pingLines(
  ctx: Pick<Ctx, "words" | "now" | "settings">,
  watch: Watch,
): readonly Text[] {
  const { words, settings } = ctx;
  const { ping } = watch;
  const place = channelMention(watch.channelId);
  if (ping === undefined) return [words.md("watch.ping.none", { place })];
  const { roleId, gapMs, quiet } = ping;
  const gap = words.duration(gapMs);
  const role = roleMention(roleId);
  const zone = (settings.timeZone ?? "UTC").replaceAll("_", " ");
  return compact([
    words.md("watch.ping.text", { role, place, gap }),
    quiet !== undefined && words.say("watch.ping.quiet", { ...quiet, zone, time: clockOf(ctx) }),
  ]);
}

/** The local time there. */
function clockOf({ words, now, settings }: Pick<Ctx, "words" | "now" | "settings">) {
  const timeZone = settings.timeZone ?? "UTC";
  return new Intl.DateTimeFormat(words.tag, { timeStyle: "short", timeZone }).format(now());
}

function buttonsOf({ words }: Ctx, { id, ping }: Watch): readonly Button[] {
  if (ping === undefined) return [];
  const watchId = id;
  return compact([
    { label: words.say("watch.ping.off"), press: off.press({ watchId }) },
    ping.quiet !== undefined && {
      label: words.say("watch.ping.no_quiet"),
      press: always.press({ watchId }),
    },
  ]);
}

export const pingActions: readonly Action<never>[] = [off, always];

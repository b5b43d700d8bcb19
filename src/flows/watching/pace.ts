import { type Ctx, notice, type Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch } from "../../moderation/index.ts";
import { findWatch } from "./find.ts";

export const usualPaceMs = 60_000;
const leastPaceMs = 10_000;
const mostPaceMs = 6 * 3_600_000;
const dayMs = 24 * 3_600_000;

/** Each look reads one page of each list, a unit each; every hour all pages are read, mostly one each. */
export function unitsADay({ states, paceMs }: Pick<Watch, "states" | "paceMs">): number {
  const looks = Math.ceil(dayMs / paceMs);
  return (looks + Math.min(looks, 24)) * states.length;
}

/** @throws InputError `pace_out_of_range`; as `findWatch` */
export async function setPace(
  ctx: Ctx,
  { pace, watch: chosen }: { readonly pace: number; readonly watch: string | undefined },
): Promise<Reply> {
  const found = await findWatch(ctx, chosen);
  if ("refusal" in found) return found.refusal;
  const { watch } = found;
  if (pace < leastPaceMs || pace > mostPaceMs) throw outOfRange(watch, ctx);
  const changed = await ctx.moderation.watches.put(
    { ...settingOf(watch), paceMs: pace },
    ctx.userId,
  );
  return notice({
    tone: "good",
    title: ctx.words.say("watch.pace.title"),
    text: paceText(changed, ctx),
  });
}

export function paceText(watch: Watch, { words }: Pick<Ctx, "words">): string {
  return words.say("watch.set.pace", {
    pace: words.duration(watch.paceMs),
    units: unitsADay(watch),
  });
}

/** The part of a watch that people set, as the base of a change. */
export function settingOf({ id: _, addedAt: __, addedBy: ___, paused: ____, ...setting }: Watch) {
  return setting;
}

function outOfRange({ states }: Watch, { words }: Ctx): InputError {
  const facts = {
    least: words.duration(leastPaceMs),
    most: words.duration(mostPaceMs),
    dear: unitsADay({ states, paceMs: leastPaceMs }),
    cheap: unitsADay({ states, paceMs: mostPaceMs }),
  };
  return new InputError("the pace is out of range", {
    code: "pace_out_of_range",
    facts,
  });
}

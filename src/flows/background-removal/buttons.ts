import { priceOf } from "../../background/index.ts";
import {
  type Button,
  type Ctx,
  compact,
  type Press,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { type BotError, InputError } from "../../errors.ts";
import { expressions } from "../expressions/index.ts";
import { improvement } from "../improvement/index.ts";
import { thumbnails } from "../thumbnails/index.ts";
import type { PictureOutcome } from "./batch.ts";
import {
  type CutoutLook,
  type CutoutOrder,
  type CutoutWork,
  isWhite,
  onWhite,
  type RepeatedCutout,
} from "./work.ts";

/** Actions make replies, whose buttons start actions: buttons know them by name, so that imports make no circle. */
export const names = {
  again: "background.again",
  againPrivately: "background.again-privately",
  full: "background.full",
  look: "background.look",
  lookHere: "background.look-here",
  pick: "background.pick",
  post: "background.post",
} as const;

const press = {
  again: (state: RepeatedCutout): Press => ({
    action: state.order.isPrivate === true ? names.againPrivately : names.again,
    state,
  }),
  full: (state: CutoutWork): Press => ({ action: names.full, state }),
  look: (state: CutoutWork, isHere: boolean): Press => ({
    action: isHere ? names.lookHere : names.look,
    state,
  }),
  pick: (works: readonly CutoutWork[]): Press => ({ action: names.pick, state: { works } }),
  post: (state: CutoutWork): Press => ({ action: names.post, state }),
} as const;

/**
 * What can be done with one result. `isHere`: looks change in place, in a message that only one person sees and that
 * costs nothing to make again.
 */
export function resultButtons(
  ctx: Ctx,
  work: CutoutWork,
  { isPrivate = false, isHere = false } = {},
): readonly Button[] {
  const { words } = ctx;
  const { source, wishes, isSmall } = work;
  const label = (name: Label) => words.say(`background.button.${name}`);
  const changes = wishes.maskOnly === true ? [] : changesOf(work);
  const hasCutout = source.isFlat !== true || source.kept !== undefined;
  const isCutout = hasCutout && wishes.maskOnly !== true;
  return compact([
    isSmall === true && {
      label: label("full"),
      style: "primary" as const,
      press: press.full(work),
    },
    ...changes.map(([name, look]) => ({
      label: label(name),
      press: press.look({ ...work, look }, isHere),
    })),
    isPrivate && { label: label("post"), press: press.post(work) },
    ...(isCutout ? thumbnails.buttons(ctx, source) : []),
    ...(isCutout ? expressions.buttons(ctx, source) : []),
    ...improvement.buttons(ctx, source),
  ]);
}

type Label = "full" | "crop" | "uncrop" | "white" | "transparent" | "shadow" | "no_shadow" | "post";

/** The looks that are one press away, each with its button; those that would change nothing are left out. */
function changesOf({ look, wishes }: CutoutWork): readonly (readonly [Label, CutoutLook])[] {
  const { ground, crop, shadow, ...rest } = look;
  const isCropped = wishes.crop === true;
  const hasShadow = wishes.shadowType !== undefined && wishes.shadowType !== "none";
  const isArchive = wishes.format === "zip";
  return [
    ...(isCropped ? [] : [toggle(look, "crop", ["crop", "uncrop"])]),
    ...(isWhite(ground) ? [] : [["white", { ...look, ground: onWhite }] as const]),
    ...(ground === undefined && !isArchive
      ? []
      : [["transparent", { ...rest, ...(crop && { crop }), ...(shadow && { shadow }) }] as const]),
    ...(hasShadow ? [] : [toggle(look, "shadow", ["shadow", "no_shadow"])]),
  ];
}

function toggle(
  look: CutoutLook,
  name: "crop" | "shadow",
  [on, off]: readonly [Label, Label],
): readonly [Label, CutoutLook] {
  const { [name]: isOn, ...rest } = look;
  return isOn === true ? [off, rest] : [on, { ...rest, [name]: true }];
}

/** Picks one of several results, to work on it alone. */
export function workOnOne({ words }: Ctx, works: readonly CutoutWork[]): readonly Select[] {
  const options = works.map(({ source }, at) => ({ label: source.name, value: `${at}` }));
  const placeholder = words.say("background.work_on_one");
  return [{ placeholder, options, press: press.pick(works) }];
}

/** A picture that was refused will be refused again; one that failed on the way may work. */
const worthwhile: ReadonlySet<BotError["kind"]> = new Set(["service", "network", "limit"]);

/** Trying again does not help where the picture itself, or what was asked of it, is the reason. */
function mayWork({ kind, code, facts, cause }: BotError): boolean {
  if (!worthwhile.has(kind) || cause instanceof InputError) return false;
  return code !== "picture_worker" || (facts.end !== "memory" && facts.end !== "time");
}

/**
 * Buttons to try pictures again: one for all that cost nothing so far, and a separate one for those that may be charged
 * twice.
 */
export function againButtons(
  outcomes: readonly PictureOutcome[],
  order: CutoutOrder,
  words: Words,
): readonly Button[] {
  const failed = outcomes.flatMap((one) => (one.state === "failed" ? [one] : []));
  const hopeful = failed.filter(({ error }) => mayWork(error));
  const free = hopeful.filter(({ error }) => error.outcome === "nothing");
  const risky = hopeful.filter(({ error }) => error.outcome !== "nothing");
  const untouched = outcomes.filter(({ state }) => state === "untouched");
  const isSingle = outcomes.length === 1;
  const pressFor = (some: readonly PictureOutcome[]) =>
    press.again({ all: some.map(({ given }) => given), order });
  const left = [...free, ...untouched];
  return compact([
    left.length > 0 && {
      label: isSingle
        ? words.say("background.again.one")
        : words.say("background.again.several", { count: left.length }),
      press: pressFor(left),
    },
    risky.length > 0 && {
      label: words.say("background.again.risky", {
        count: risky.length,
        credits: risky.length * priceOf(order.wishes.size),
      }),
      press: pressFor(risky),
    },
  ]);
}

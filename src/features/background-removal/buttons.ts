import { maxPngResultPixels } from "../../background/index.ts";
import { type Button, compact, type Press, type Select, type Words } from "../../discord/index.ts";
import { type BotError, InputError, LimitError } from "../../errors.ts";
import type { ComposedCutout } from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";
import {
  type CutoutGround,
  type CutoutSource,
  estimateCredits,
  removeAnywayButton,
} from "../cutout/index.ts";
import { expressions } from "../expressions/index.ts";
import { improvement } from "../improvement/index.ts";
import { thumbnailMaker } from "../thumbnails/index.ts";
import { isPictureDone, type PictureOutcome } from "./batch.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { PictureSource } from "./picture-source.ts";
import { isOversized } from "./result-size.ts";

// Buttons store these types in their state, so they are small and JSON-shaped, and their fields can't be renamed.

/** How pictures are to be cut out (`wishes`), and for whom. */
export interface CutoutOrder {
  readonly wishes: CutoutOptions;
  /** Who posted the pictures, if it was somebody else. */
  readonly postedBy?: string | undefined;
  /** Only one person sees the answer, who can post it for the others. */
  readonly isPrivate?: true;
  /** Somebody agreed to pay for pictures that are transparent already. */
  readonly isForced?: true;
}

/** Pictures that a button cuts out again. */
export interface RepeatedCutout {
  readonly all: readonly PictureSource[];
  readonly order: CutoutOrder;
}

/** What is made of a cut-out here, without remove.bg and at no cost. */
export interface CutoutLook {
  /** Transparent when absent. */
  readonly ground?: CutoutGround;
  readonly crop?: true;
  readonly shadow?: true;
  /** The best one when absent; `zip`: remove.bg's own, in parts. */
  readonly format?: "png" | "webp" | "zip";
  /** What is done if the result is too large to send; as much as fits is shown when absent. */
  readonly oversize?: "smaller" | "parts";
}

/** One result with everything that its buttons need. */
export interface CutoutResult {
  readonly source: CutoutSource;
  /** The picture that was handed in; `wishes` is how it was cut out. */
  readonly original: PictureSource;
  readonly wishes: CutoutOptions;
  readonly look: CutoutLook;
  /** The picture has more pixels than the result. */
  readonly isSmall?: true;
  /** What was given up so that the result can be sent. */
  readonly fitted?: Exclude<SentResult["fitted"], "asked">;
  /** Handle of the result that remove.bg made, if the one that is shown was made smaller. */
  readonly whole?: string;
  /** The first part that is shown, from 0, of a result in parts. */
  readonly part?: number;
}

interface SentResult {
  /** As in `ComposedCutout`; `opened`: the ZIP was too large to send, so a picture was made of it. */
  readonly fitted: ComposedCutout["fitted"] | "opened";
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** What was given up, if another format or several files would spare it. A PNG with too many pixels can't be had at all. */
export function fittedToSend({
  fitted,
  width = 0,
  height = 0,
}: SentResult): Pick<CutoutResult, "fitted"> {
  const isKept = fitted === "asked" || (fitted === "webp" && width * height > maxPngResultPixels);
  return isKept ? {} : { fitted };
}

/** Results that are to be put on another background. */
export interface OtherGround {
  readonly works: readonly CutoutResult[];
  /** As in `resultButtons`. */
  readonly isHere?: true;
}

export const whiteGround = { kind: "color", color: "#ffffff" } as const satisfies CutoutGround;

/** Actions draw these buttons, so the buttons refer to actions by name: imports must not form a circle. */
export const cutoutActionNames = {
  again: "background.again",
  againPrivately: "background.again-privately",
  full: "background.full",
  groundForm: "background.ground-form",
  look: "background.look",
  lookHere: "background.look-here",
  pick: "background.pick",
  post: "background.post",
  postSeveral: "background.post-several",
} as const;

export const pressAgain = (state: RepeatedCutout): Press => ({
  action:
    state.order.isPrivate === true ? cutoutActionNames.againPrivately : cutoutActionNames.again,
  state,
});

/**
 * What can be done with one result. `isHere`: looks change in place, because only one person sees the message and
 * making it again costs nothing.
 */
export function resultButtons(
  ctx: Ctx,
  work: CutoutResult,
  { isPrivate = false, isHere = false } = {},
): readonly Button[] {
  const { words } = ctx;
  const { source, wishes, isSmall } = work;
  const isMask = wishes.maskOnly === true && source.isOwn !== true;
  const changes = isMask ? [] : listChanges(work);
  const hasCutout = source.isFlat !== true || source.kept !== undefined;
  const isCutout = hasCutout && !isMask;
  const lookAction = isHere ? cutoutActionNames.lookHere : cutoutActionNames.look;
  return compact([
    isSmall === true && {
      label: words.say("background.button.full"),
      style: "primary" as const,
      press: { action: cutoutActionNames.full, state: work },
    },
    !isMask && groundButton(words, { works: [work], ...(isHere && { isHere }) }),
    ...sizeLooks(work).map(([name, look]) => ({
      label: words.say(`background.oversize.${name}`, { credits: 0 }),
      press: { action: lookAction, state: { ...work, look } },
    })),
    ...changes.map(([name, look]) => ({
      label: words.say(`background.button.${name}`),
      press: { action: lookAction, state: { ...work, look } },
    })),
    isPrivate && {
      label: words.say("background.button.post"),
      press: { action: cutoutActionNames.post, state: work },
    },
    ...(isCutout ? thumbnailMaker.buttons(ctx, source) : []),
    ...(isCutout ? expressions.buttons(ctx, source) : []),
    ...improvement.buttons(ctx, source),
  ]);
}

/** Opens the form for another background of the same cut-outs. */
export function groundButton(words: Words, state: OtherGround): Button {
  const label = words.say("background.other_ground.button");
  return { label, press: { action: cutoutActionNames.groundForm, state } };
}

type Label = "crop" | "uncrop" | "white" | "transparent" | "shadow" | "no_shadow";

/** The looks that a button offers; those that would change nothing are left out. */
function listChanges(work: CutoutResult): readonly (readonly [Label, CutoutLook])[] {
  const { look, source } = work;
  const { ground, crop, shadow, ...rest } = look;
  // What remove.bg did can't be undone. Everything about a picture that was not sent was done here.
  const isOurs = source.isOwn === true || source.engine === "rembg";
  const { crop: isCropped, shadowType = "none", format } = isOurs ? {} : work.wishes;
  const isWhite = ground?.kind === "color" && ground.color === whiteGround.color;
  return [
    ...(isCropped === true ? [] : [toggle(look, "crop", ["crop", "uncrop"])]),
    ...(isWhite ? [] : [["white", { ...look, ground: whiteGround }] as const]),
    ...(ground === undefined && format !== "zip"
      ? []
      : [["transparent", { ...rest, ...(crop && { crop }), ...(shadow && { shadow }) }] as const]),
    ...(shadowType !== "none" ? [] : [toggle(look, "shadow", ["shadow", "no_shadow"])]),
  ];
}

type SizeChoice = "smaller" | "webp" | "parts";

/** Other ways to send a result from which something was given up, all of them made from what was paid for. */
function sizeLooks(work: CutoutResult): readonly (readonly [SizeChoice, CutoutLook])[] {
  const { fitted, look, whole } = work;
  if (fitted === undefined) return [];
  if (whole !== undefined) return [["parts", { ...look, oversize: "parts" }]];
  const { oversize: _, format = fitted === "webp" ? "png" : undefined, ...rest } = look;
  const wanted = { ...rest, ...(format && { format }) };
  const isJpg = format === undefined && look.ground !== undefined;
  if (fitted === "opened") return [["parts", { ...rest, format: "zip", oversize: "parts" }]];
  return compact<readonly [SizeChoice, CutoutLook]>([
    fitted === "webp" && ["smaller", { ...wanted, oversize: "smaller" }],
    (isJpg || (format === "png" && fitted !== "webp")) && ["webp", { ...rest, format: "webp" }],
    (format !== "png" || fitsIntoPng(work)) && ["parts", { ...wanted, oversize: "parts" }],
  ]);
}

/** Whether the result in full size has few enough pixels for a PNG, however large its file would be. */
function fitsIntoPng({ look, source: { found = {} } }: CutoutResult): boolean {
  const { width = 0, height = 0 } = (look.crop === true && found.foreground) || found;
  return width * height <= maxPngResultPixels;
}

function toggle(
  look: CutoutLook,
  name: "crop" | "shadow",
  [on, off]: readonly [Label, Label],
): readonly [Label, CutoutLook] {
  const { [name]: isOn, ...rest } = look;
  return isOn === true ? [off, rest] : [on, { ...rest, [name]: true }];
}

/** A select for one of several results. */
export function resultSelects({ words }: Ctx, works: readonly CutoutResult[]): readonly Select[] {
  const options = works.map(({ source }, at) => ({ label: source.name, value: `${at}` }));
  const placeholder = words.say("background.work_on_one");
  return [{ placeholder, options, press: { action: cutoutActionNames.pick, state: { works } } }];
}

/** A refused picture will be refused again; one of these failures may be gone the next time. */
const worthwhile: ReadonlySet<BotError["kind"]> = new Set(["service", "network", "limit"]);

/** Trying again does not help if the picture itself, or its options, are the reason. */
function mayWork(error: BotError): boolean {
  const { kind, code, facts, cause } = error;
  if (!worthwhile.has(kind) || cause instanceof InputError) return false;
  // One picture is more than the day's whole limit.
  if (code.startsWith("budget_") && error instanceof LimitError && !error.retryAt) return false;
  return code !== "picture_worker" || (facts.end !== "memory" && facts.end !== "time");
}

/** Buttons to try pictures again: one for those that cost nothing so far, one for those that may be charged twice. */
export function tryAgainButtons(
  outcomes: readonly PictureOutcome[],
  order: CutoutOrder,
  ctx: Ctx,
): readonly Button[] {
  const { words, engine } = ctx;
  const failed = outcomes.flatMap((one) => (one.state === "failed" ? [one] : []));
  const hopeful = failed.filter(({ error }) => mayWork(error));
  const isPaid = engine !== "rembg";
  const free = hopeful.filter(({ error }) => !isPaid || error.outcome === "nothing");
  const risky = hopeful.filter((one) => !free.includes(one));
  const untouched = outcomes.filter(({ state }) => state === "untouched");
  const isSingle = outcomes.length === 1;
  const left = [...free, ...untouched];
  return compact([
    left.length > 0 && {
      label: isSingle
        ? words.say("background.again.one")
        : words.say("background.again.several", { count: left.length }),
      press: pressAgain({ all: left.map(({ source }) => source), order }),
    },
    risky.length > 0 && {
      label: words.say("background.again.risky", {
        count: risky.length,
        credits: risky.length * estimateCredits(engine, order.wishes.size),
      }),
      press: pressAgain({ all: risky.map(({ source }) => source), order }),
    },
  ]);
}

/** Buttons that pay for results which would be too large, in a form in which they can be sent. */
export function sizeButtons(
  outcomes: readonly PictureOutcome[],
  order: CutoutOrder,
  ctx: Ctx,
): readonly Button[] {
  const { words, engine } = ctx;
  const large = outcomes.flatMap((one) =>
    one.state === "failed" && isOversized(one.error) ? [one] : [],
  );
  if (large.length === 0) return [];
  const { format, size, ...rest } = order.wishes;
  const ground = rest.ground ?? (format === "jpg" ? whiteGround : undefined);
  const isDivisible =
    large.length === 1 && large.every(({ error }) => error.code === "result_too_large");
  const choices = compact<readonly [SizeChoice, CutoutOptions]>([
    format !== "zip" && ["smaller", { ...order.wishes, oversize: "smaller" }],
    format !== undefined &&
      format !== "webp" && [
        "webp",
        { ...order.wishes, ...(ground && { ground }), format: "webp", oversize: "fit" },
      ],
    // A message has room for the parts of one picture.
    isDivisible && ["parts", { ...order.wishes, oversize: "parts" }],
  ]);
  const credits = large.length * estimateCredits(engine, size);
  return choices.map(([name, wishes]) => ({
    label: words.say(`background.oversize.${name}`, { credits }),
    press: pressAgain({ all: large.map(({ source }) => source), order: { ...order, wishes } }),
  }));
}

/** A button to send the pictures that were transparent already; none if there was no such picture. */
export function anywayButtons(
  outcomes: readonly PictureOutcome[],
  order: CutoutOrder,
  ctx: Ctx,
): readonly Button[] {
  const spared = outcomes.filter(isPictureDone).filter(({ made }) => made.removal === undefined);
  const [first] = spared;
  if (first === undefined) return [];
  const all = spared.map(({ source }) => source);
  const { width = 0, height = 0 } = first.made.prepared ?? {};
  // Of several, each may cost as much as a large one.
  const megapixels = spared.length === 1 ? (width * height) / 1e6 : undefined;
  const press = pressAgain({ all, order: { ...order, isForced: true } });
  return [
    removeAnywayButton(ctx, press, { count: all.length, size: order.wishes.size, megapixels }),
  ];
}

import type { BackgroundEngine } from "../../background/index.ts";
import {
  type Button,
  compact,
  describeAdvice,
  describeFailureShortly,
  files,
  isOutcomeClear,
  join,
  notice,
  type Reply,
  type Select,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import type { MessageKey } from "../../language/index.ts";
import { valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { describeFoundSubject, readFoundSubject, scaleFoundSubject } from "../cutout/index.ts";
import { type CutoutBatch, type DonePicture, isPictureDone, type PictureOutcome } from "./batch.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { MadePicture } from "./make-picture.ts";
import type { RemovalOptions } from "./options.ts";
import { isOversized } from "./result-size.ts";

/** What the texts of the reply are made of. */
export interface BatchReport {
  readonly batch: CutoutBatch;
  readonly options: CutoutOptions;
  /** How many pictures did not fit into the message. */
  readonly leftOut: number;
  readonly engine: BackgroundEngine;
}

/** Everything that people should know about the results, each thing once. */
function describeReport(report: BatchReport, words: Words): readonly Text[] {
  const { batch, options, leftOut } = report;
  const { outcomes } = batch;
  const isSingle = outcomes.length === 1;
  return [
    ...generalRemarks(options, outcomes, words),
    ...outcomes.flatMap((outcome) => {
      if (outcome.state === "failed") return [failureLine(outcome, words)];
      if (!isPictureDone(outcome)) return [];
      const of = isSingle ? undefined : outcome.name;
      return describeResult(outcome, { of, options, engine: report.engine }, words);
    }),
    ...stopLines(report, words),
    ...(leftOut > 0 ? [words.say("background.left_out", { count: leftOut })] : []),
    // With several results, each one says so when it is picked.
    ...outcomes.flatMap((outcome) => {
      if (!isSingle || !isPictureDone(outcome)) return [];
      const { removal, result } = outcome.made;
      if (removal === undefined) return [];
      return describeFoundSubject(scaleFoundSubject(readFoundSubject(removal), result), words);
    }),
  ];
}

function generalRemarks(
  options: CutoutOptions,
  outcomes: readonly PictureOutcome[],
  words: Words,
): readonly Text[] {
  const { preset, format, ground } = options;
  const notices = new Set(
    outcomes.filter(isPictureDone).flatMap(({ made }) => made.removal?.notices ?? []),
  );
  return compact([
    preset !== undefined &&
      words.say("background.preset", { name: valueName(words, "cutoutPreset", preset) ?? preset }),
    format === "jpg" && ground === undefined && words.say("background.on_white"),
    notices.has("size_regular") && words.say("background.size_regular"),
  ]);
}

const fitted = {
  asked: undefined,
  webp: "background.fitted.webp",
  quality: "background.fitted.quality",
  smaller: "background.fitted.smaller",
  opened: "background.fitted.opened",
} as const satisfies Record<MadePicture["result"]["fitted"], MessageKey | undefined>;

const prepared = {
  unchanged: undefined,
  // Phones store most of their pictures on the side, and nobody sees them that way.
  turned: undefined,
  rewritten: "background.prepared.rewritten",
  converted: "background.prepared.converted",
  recompressed: "background.prepared.recompressed",
  resized: "background.prepared.resized",
  reduced: "background.prepared.reduced",
} as const satisfies Record<NonNullable<MadePicture["prepared"]>["fitted"], MessageKey | undefined>;

/** What was changed before and after the cut-out; `of` is as in `PictureRemark`. */
function describeResult(
  { name, made, sameAs }: DonePicture,
  { of, options, engine }: Pick<PictureRemark, "of"> & Pick<BatchReport, "options" | "engine">,
  words: Words,
): readonly Text[] {
  const before = made.prepared;
  const isSent = made.removal !== undefined;
  if (isSent && sameAs === name) return [words.md("background.same_name", { name })];
  if (isSent && sameAs !== undefined) {
    return [words.md("background.same", { name, other: sameAs })];
  }
  const keyIn = isSent && before && prepared[before.fitted];
  const keyOut = fitted[made.result.fitted];
  const frames = before?.original.frames ?? 1;
  const already = engine === "rembg" ? "background.already.plain" : "background.already.text";
  const measures = { width: `${before?.width ?? ""}`, height: `${before?.height ?? ""}` };
  const format = (before?.original.format ?? "").toUpperCase();
  return compact([
    !isSent && formatPictureRemark(already, { of }, words),
    !isSent && missingLine(options, of, words),
    frames > 1 && formatPictureRemark("background.prepared.frames", { of, frames }, words),
    keyIn && formatPictureRemark(keyIn, { of, format, ...measures }, words),
    keyOut && formatPictureRemark(keyOut, { of }, words),
  ]);
}

/** For a picture that was not sent: which options were not followed. */
function missingLine(
  options: CutoutOptions,
  of: string | undefined,
  words: Words,
): Text | undefined {
  const { roi, scale = "original", position = "original", maskOnly, format, ground } = options;
  // Options that only work if the picture is sent, and whether they were chosen.
  const missing = {
    region: roi !== undefined,
    scale: scale !== "original",
    position: position !== "original",
    mask_only: maskOnly === true,
    format: format === "zip",
    background: ground?.kind === "glass",
    background_link: ground?.kind === "link",
  } satisfies Partial<Record<keyof RemovalOptions, boolean>>;
  const names = Object.entries(missing).flatMap(([name, isMissing]) =>
    isMissing ? [words.find(`background.command.remove.options.${name}.name`) ?? name] : [],
  );
  if (names.length === 0) return undefined;
  return formatPictureRemark("background.already.missing", { of, names: words.list(names) }, words);
}

interface PictureRemark {
  /** The picture's name; undefined if it is the only one. */
  readonly of: string | undefined;
  readonly frames?: number;
  readonly format?: string;
  readonly width?: string;
  readonly height?: string;
  readonly names?: string;
}

/** A sentence about a picture, with its name in front if there are several. */
export function formatPictureRemark(
  key: MessageKey,
  { of, ...pieces }: PictureRemark,
  words: Words,
): Text {
  const what = words.md(key, pieces);
  if (of !== undefined) return words.md("background.of", { name: of, what });
  const [first = "", ...rest] = what.markup;
  return { markup: `${first.toLocaleUpperCase(words.tag)}${rest.join("")}` };
}

/** Why there is no result of a picture, and what can be done about it. */
export function failureLine(
  { name, error }: { readonly name: string; readonly error: BotError },
  words: Words,
): Text {
  const [what, hint] = [describeFailureShortly(error, words), describeAdvice(error, words)];
  return words.md("background.failed", { name, what, hint });
}

/** Which pictures were not finished, and why. */
function stopLines({ batch, engine }: BatchReport, words: Words): readonly Text[] {
  const { outcomes, stoppedBy } = batch;
  const isPaid = engine !== "rembg";
  const lines = (["interrupted", "untouched"] as const).flatMap((state) => {
    const names = outcomes.filter((one) => one.state === state).map(({ name }) => name);
    if (names.length === 0) return [];
    return [words.md(`background.${state}`, { names: words.list(names), isPaid })];
  });
  if (lines.length === 0 || stoppedBy === undefined) return lines;
  const why = describeFailureShortly(stoppedBy, words);
  return [words.md("background.stopped", { why }), ...lines];
}

function chooseTitle({ batch: { outcomes }, options }: BatchReport, words: Words): string {
  const count = outcomes.length;
  if (count > 1) {
    return words.say("background.done.several", {
      done: outcomes.filter(isPictureDone).length,
      count,
    });
  }
  const [only] = outcomes;
  if (only !== undefined && isPictureDone(only) && only.made.removal === undefined) {
    const hasGround = only.made.isOpaque && options.ground !== undefined;
    return words.say(hasGround ? "background.already.with_ground" : "background.already.title");
  }
  return words.say(options.maskOnly === true ? "background.done.mask" : "background.done.title");
}

/** The cost and, for a single picture, the file's size and format. */
function formatFooter({ batch: { outcomes } }: BatchReport, words: Words): string {
  const charges = new Map<unknown, number>();
  for (const outcome of outcomes) {
    if (isPictureDone(outcome)) {
      const { removal } = outcome.made;
      // Pictures with the same bytes share one call and its cost.
      if (removal?.creditsCharged !== undefined) charges.set(removal, removal.creditsCharged);
    } else if (outcome.state === "failed" && typeof outcome.error.facts.charged === "number") {
      charges.set(outcome.error, outcome.error.facts.charged);
    } else if (outcome.state === "interrupted" && outcome.charged !== undefined) {
      charges.set(outcome, outcome.charged);
    }
  }
  const sum = [...charges.values()].reduce((all, one) => all + one, 0);
  const cost = charges.size === 0 ? [] : [words.say("background.credits", { count: sum })];
  const [first] = outcomes;
  const facts =
    outcomes.length === 1 && first !== undefined && isPictureDone(first)
      ? formatResultFacts(first.made.result, words)
      : [];
  return [...cost, ...facts].join(" · ");
}

interface ResultFacts {
  readonly bytes: { readonly length: number };
  readonly format: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export function formatResultFacts(result: ResultFacts, words: Words): readonly string[] {
  const { width, height, format, bytes } = result;
  return [
    ...(width === undefined || height === undefined ? [] : [`${width}×${height}`]),
    format.toUpperCase(),
    words.bytes(bytes.length),
  ];
}

interface DrawnResults {
  readonly files: Parameters<typeof files>[0]["files"];
  readonly preview: Parameters<typeof files>[0]["preview"];
  readonly buttons: readonly Button[];
  readonly selects: readonly Select[];
}

/** The reply if at least one picture worked. */
export function drawResults(ctx: Ctx, report: BatchReport, drawn: DrawnResults): Reply {
  const { words } = ctx;
  const lines = describeReport(report, words);
  const footer = formatFooter(report, words);
  const { preview, buttons, selects } = drawn;
  return files({
    title: chooseTitle(report, words),
    ...(lines.length > 0 && { text: join(lines) }),
    files: drawn.files,
    ...(preview !== undefined && { preview }),
    ...(footer !== "" && { footer }),
    ...(buttons.length > 0 && { buttons }),
    ...(selects.length > 0 && { selects }),
  });
}

/** The reply if nothing worked, with the buttons to try again. */
export function drawFailures(ctx: Ctx, report: BatchReport, buttons: readonly Button[]): Reply {
  const { words } = ctx;
  const { outcomes } = report.batch;
  const errors = outcomes.flatMap((one) => (one.state === "failed" ? [one.error] : []));
  const [first] = errors;
  const isSingle = outcomes.length === 1 && first !== undefined;
  const lines = isSingle ? [describeAdvice(first, words)] : describeReport(report, words);
  return notice({
    tone: errors.every(isOversized) ? "warning" : "bad",
    title: isSingle ? describeFailureShortly(first, words) : words.say("background.none_done"),
    text: join([...lines, ...endLines(report, errors, words)]),
    footer: words.say("common.reference", { id: ctx.reference }),
    buttons,
    isPrivate: true,
  });
}

/** What was charged for nothing, and when to try again. */
function endLines(
  { engine }: BatchReport,
  errors: readonly BotError[],
  words: Words,
): readonly Text[] {
  const isPaid = engine !== "rembg";
  const charges = errors.flatMap(({ facts: { charged = 0 } }) => (charged === 0 ? [] : [charged]));
  const isKnown = charges.every((charge) => typeof charge === "number");
  const charged = isKnown ? charges.reduce((sum, charge) => sum + charge, 0) : "unknown";
  const at = errors.find((error) => error instanceof LimitError)?.retryAt;
  const sent = errors.filter(({ outcome }) => outcome !== "nothing");
  // Nothing more where the other lines say it: what was charged, or that a credit may have been used.
  const outcome =
    sent.length === 0 ? isPaid && "nothing" : sent.find((error) => !isOutcomeClear(error))?.outcome;
  return compact([
    charges.length > 0 && words.say("failures.charged", { charged }),
    at !== undefined &&
      words.md("failures.back", { relative: time(at, "R"), moment: time(at, "f") }),
    outcome && words.say(`failures.outcomes.${outcome}`),
  ]);
}

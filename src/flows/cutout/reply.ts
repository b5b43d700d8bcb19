import {
  adviceOf,
  type Button,
  type Ctx,
  files,
  inShort,
  join,
  named,
  notice,
  type Reply,
  type Select,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import type { MessageKey } from "../../language/index.ts";
import { compact } from "../compact.ts";
import type { Batch, Outcome } from "./batch.ts";
import type { DoneOutcome } from "./files.ts";
import { foundIn, foundLines, foundSubject } from "./found-subject.ts";
import type { Made } from "./make.ts";
import type { Wishes } from "./wishes.ts";

/** What is said beside the results. */
export interface Telling {
  readonly batch: Batch;
  readonly wishes: Wishes;
  /** Pictures that no go has room for. */
  readonly leftOut: number;
}

export const isDone = (outcome: Outcome): outcome is DoneOutcome => outcome.state === "done";

/** All that people should know of the results, each thing once. */
function linesOf(telling: Telling, words: Words): readonly Text[] {
  const { batch, wishes, leftOut } = telling;
  const { outcomes } = batch;
  const isSingle = outcomes.length === 1;
  return [
    ...ofAll(wishes, outcomes, words),
    ...outcomes.flatMap((outcome) =>
      isDone(outcome) ? remarksOf(outcome, isSingle, words) : failureLine(outcome, words),
    ),
    ...stopLines(batch, words),
    ...(leftOut > 0 ? [words.say("background.left_out", { count: leftOut })] : []),
    // Of several each has its own once it is worked on.
    ...outcomes.flatMap((outcome) =>
      isSingle && isDone(outcome) ? subjectLines(outcome.attempt.made, words) : [],
    ),
  ];
}

function subjectLines({ removal, result }: Made, words: Words): readonly Text[] {
  return foundLines(foundIn(foundSubject(removal), result), words);
}

function ofAll(wishes: Wishes, outcomes: readonly Outcome[], words: Words): readonly Text[] {
  const { preset, format, ground } = wishes;
  const notices = new Set(
    outcomes.filter(isDone).flatMap(({ attempt }) => attempt.made.removal.notices),
  );
  return compact([
    preset !== undefined &&
      words.say("background.preset", { name: named(words, "cutoutPreset", preset) ?? preset }),
    format === "jpg" && ground === undefined && words.say("background.on_white"),
    ...(notices.has("size_regular") ? [words.say("background.size_regular")] : []),
  ]);
}

const fitted = {
  asked: undefined,
  webp: "background.fitted.webp",
  quality: "background.fitted.quality",
  smaller: "background.fitted.smaller",
  opened: "background.fitted.opened",
} as const satisfies Record<Made["result"]["fitted"], MessageKey | undefined>;

const prepared = {
  unchanged: undefined,
  converted: "background.prepared.converted",
  recompressed: "background.prepared.recompressed",
  resized: "background.prepared.resized",
} as const satisfies Record<NonNullable<Made["prepared"]>["fitted"], MessageKey | undefined>;

/** What was done to the picture on its way in and out. */
function remarksOf(
  { name, attempt }: DoneOutcome,
  isSingle: boolean,
  words: Words,
): readonly Text[] {
  const { made, sameAs } = attempt;
  if (sameAs === name) return [words.md("background.same_name", { name })];
  if (sameAs !== undefined) return [words.md("background.same", { name, other: sameAs })];
  const before = made.prepared;
  const keyIn = before && prepared[before.fitted];
  const keyOut = fitted[made.result.fitted];
  const frames = before?.original.frames ?? 1;
  const measures = { width: `${before?.width ?? ""}`, height: `${before?.height ?? ""}` };
  const format = (before?.original.format ?? "").toUpperCase();
  const of = isSingle ? undefined : name;
  return [
    ...(frames > 1 ? [remark("background.prepared.frames", { of, frames }, words)] : []),
    ...(keyIn === undefined ? [] : [remark(keyIn, { of, format, ...measures }, words)]),
    ...(keyOut === undefined ? [] : [remark(keyOut, { of }, words)]),
  ];
}

interface Remark {
  /** The picture's name; undefined where it is the only one. */
  readonly of: string | undefined;
  readonly frames?: number;
  readonly format?: string;
  readonly width?: string;
  readonly height?: string;
}

/** A sentence about a picture: behind its name, or on its own. */
export function remark(key: MessageKey, { of, ...pieces }: Remark, words: Words): Text {
  const what = words.md(key, pieces);
  if (of !== undefined) return words.md("background.of", { name: of, what });
  const [first = "", ...rest] = what.markup;
  return { markup: `${first.toLocaleUpperCase(words.tag)}${rest.join("")}` };
}

function failureLine(outcome: Exclude<Outcome, DoneOutcome>, words: Words): readonly Text[] {
  if (outcome.state !== "failed") return [];
  const { name, error } = outcome;
  const hint = adviceOf(error, words);
  return [words.md("background.failed", { name, what: inShort(error, words), hint })];
}

/** Why not all were tried, and which were not. */
function stopLines({ outcomes, stoppedBy }: Batch, words: Words): readonly Text[] {
  const namesOf = (state: Outcome["state"]) =>
    outcomes.filter((one) => one.state === state).map(({ name }) => name);
  const [untouched, interrupted] = [namesOf("untouched"), namesOf("interrupted")];
  if (untouched.length + interrupted.length === 0) return [];
  const tell = (key: MessageKey, names: readonly string[]) =>
    names.length === 0 ? [] : [words.md(key, { names: words.list(names), count: names.length })];
  return compact([
    stoppedBy !== undefined && words.md("background.stopped", { why: inShort(stoppedBy, words) }),
    ...tell("background.interrupted", interrupted),
    ...tell("background.untouched", untouched),
  ]);
}

export function titleOf({ batch: { outcomes }, wishes }: Telling, words: Words): string {
  const count = outcomes.length;
  if (count > 1) {
    return words.say("background.done.several", { done: outcomes.filter(isDone).length, count });
  }
  return words.say(wishes.maskOnly === true ? "background.done.mask" : "background.done.title");
}

/** What it cost and, of a single picture, what came out. */
export function footerOf({ batch: { outcomes } }: Telling, words: Words): string {
  const charges = new Map<unknown, number>();
  for (const outcome of outcomes) {
    if (isDone(outcome)) {
      const { removal } = outcome.attempt.made;
      // Twins share one call, and what it cost.
      if (removal.creditsCharged !== undefined) charges.set(removal, removal.creditsCharged);
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
    outcomes.length === 1 && first !== undefined && isDone(first)
      ? resultFacts(first.attempt.made.result, words)
      : [];
  return [...cost, ...facts].join(" · ");
}

interface Facts {
  readonly bytes: { readonly length: number };
  readonly format: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export function resultFacts(result: Facts, words: Words): readonly string[] {
  const { width, height, format, bytes } = result;
  return [
    ...(width === undefined || height === undefined ? [] : [`${width}×${height}`]),
    format.toUpperCase(),
    words.bytes(bytes.length),
  ];
}

export interface Drawn {
  readonly files: Parameters<typeof files>[0]["files"];
  readonly preview: Parameters<typeof files>[0]["preview"];
  readonly buttons: readonly Button[];
  readonly selects: readonly Select[];
}

/** The reply with results, whatever became of some of them. */
export function drawResults(ctx: Ctx, telling: Telling, drawn: Drawn): Reply {
  const { words } = ctx;
  const lines = linesOf(telling, words);
  const footer = footerOf(telling, words);
  const { preview, buttons, selects } = drawn;
  return files({
    title: titleOf(telling, words),
    ...(lines.length > 0 && { text: join(lines) }),
    files: drawn.files,
    ...(preview !== undefined && { preview }),
    ...(footer !== "" && { footer }),
    ...(buttons.length > 0 && { buttons }),
    ...(selects.length > 0 && { selects }),
  });
}

/** Nothing worked, and there is something that can be done about it: told here, with the way on. */
export function drawFailures(ctx: Ctx, telling: Telling, buttons: readonly Button[]): Reply {
  const { words } = ctx;
  const { outcomes } = telling.batch;
  const errors = outcomes.flatMap((one) => (one.state === "failed" ? [one.error] : []));
  const [first] = errors;
  const isSingle = outcomes.length === 1 && first !== undefined;
  const lines = isSingle ? [adviceOf(first, words)] : linesOf(telling, words);
  return notice({
    tone: "bad",
    title: isSingle ? inShort(first, words) : words.say("background.none_done"),
    text: join([...lines, ...endLines(errors, words)]),
    footer: words.say("common.reference", { id: ctx.reference }),
    buttons,
    isPrivate: true,
  });
}

/** What was spent in vain, and when it is worth another try. */
function endLines(errors: readonly BotError[], words: Words): readonly Text[] {
  const outcomes = errors.map(({ outcome }) => outcome);
  const charged = errors.reduce((sum, { facts }) => sum + Number(facts.charged ?? 0), 0);
  const at = errors.find((error) => error instanceof LimitError)?.retryAt;
  return [
    ...(charged > 0 ? [words.say("failures.charged", { charged })] : []),
    ...(at === undefined ? [] : [backAt(at, words)]),
    words.say(`failures.outcomes.${outcomes.find((one) => one !== "nothing") ?? "nothing"}`),
  ];
}

function backAt(at: Date, words: Words): Text {
  return words.md("failures.back", { relative: time(at, "R"), moment: time(at, "f") });
}

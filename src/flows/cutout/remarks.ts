import { adviceOf, inShort, named, type Text, type Words } from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
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
export function linesOf(telling: Telling, words: Words): readonly Text[] {
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
  return [
    ...(preset === undefined
      ? []
      : [words.say("background.preset", { name: named(words, "cutoutPreset", preset) ?? preset })]),
    ...(format === "jpg" && ground === undefined ? [words.say("background.on_white")] : []),
    ...(notices.has("size_regular") ? [words.say("background.size_regular")] : []),
  ];
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
  return [
    ...(stoppedBy === undefined
      ? []
      : [words.md("background.stopped", { why: inShort(stoppedBy, words) })]),
    ...tell("background.interrupted", interrupted),
    ...tell("background.untouched", untouched),
  ];
}

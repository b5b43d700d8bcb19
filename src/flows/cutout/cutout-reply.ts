import type { Removal } from "../../background/index.ts";
import {
  adviceOf,
  type Files,
  files,
  inShort,
  join,
  type Markup,
  md,
  type ReplyFile,
  type Words,
} from "../../discord/index.ts";
import type { BotError } from "../../errors.ts";
import type { Composed, Prepared } from "../../images/index.ts";
import type { MessageKey } from "../../language/index.ts";

/** A picture that worked, with all that is said about it. */
export interface Done {
  readonly file: ReplyFile;
  readonly removal: Removal;
  readonly composed: Composed;
  readonly prepared: Prepared;
}

/** What became of one picture, by its own name. */
export type CutoutOutcome = { readonly name: string } & (
  | { readonly done: Done }
  | { readonly error: BotError }
);

/** The results as files, each failure with its reason, and what it cost. */
export function drawCutouts(
  outcomes: readonly CutoutOutcome[],
  leftOut: number,
  words: Words,
): Files {
  const done = outcomes.flatMap((outcome) => ("done" in outcome ? [outcome.done] : []));
  const isSingle = outcomes.length === 1;
  const lines = [
    ...outcomes.map((outcome) => (isSingle ? undefined : lineOf(outcome, words))),
    ...done.map((one) => remarkOf(one, isSingle, words)),
    leftOut > 0 ? words.say("background.left_out", { count: leftOut }) : undefined,
  ].filter((line) => line !== undefined);
  const footer = footerOf(done, words);
  return files({
    title: isSingle
      ? words.say("background.done.title")
      : words.say("background.done.several", { done: done.length, count: outcomes.length }),
    ...(lines.length === 0 ? {} : { text: join(lines, "\n") }),
    files: uniqueNames(done.map(({ file }) => file)),
    ...(footer === "" ? {} : { footer }),
  });
}

function lineOf(outcome: CutoutOutcome, words: Words): Markup | undefined {
  if (!("error" in outcome)) return undefined;
  const { name, error } = outcome;
  const what = inShort(error, words);
  return words.md("background.failed", { name, what, hint: adviceOf(error, words) });
}

const remarks = {
  asked: undefined,
  webp: "background.fitted.webp",
  quality: "background.fitted.quality",
  smaller: "background.fitted.smaller",
} as const satisfies Record<Composed["fitted"], MessageKey | undefined>;

function remarkOf({ prepared, composed, file }: Done, isSingle: boolean, words: Words) {
  const what = isSingle ? words.say("background.the_result") : md`**${file.name}**`;
  const remark = remarks[composed.fitted];
  if (remark !== undefined) return words.md(remark, { what });
  if (prepared.fitted !== "resized") return undefined;
  const { width, height } = composed;
  return words.md("background.fitted.prepared", { what, width: `${width}`, height: `${height}` });
}

function footerOf(done: readonly Done[], words: Words): string {
  const charged = done.flatMap(({ removal }) => removal.creditsCharged ?? []);
  const sum = charged.reduce((all, one) => all + one, 0);
  const cost = charged.length === 0 ? undefined : credits(sum, words);
  const [first] = done;
  const facts =
    done.length === 1 && first !== undefined
      ? [
          `${first.composed.width}×${first.composed.height}`,
          first.composed.format.toUpperCase(),
          words.bytes(first.composed.bytes.length),
        ]
      : [];
  return [cost, ...facts].filter((fact) => fact !== undefined).join(" · ");
}

/** Undefined when the service did not say; absent is not zero. */
function credits(charged: number | undefined, words: Words): string | undefined {
  return charged === undefined ? undefined : words.say("background.credits", { count: charged });
}

function uniqueNames(all: readonly ReplyFile[]): readonly ReplyFile[] {
  const seen = new Map<string, number>();
  return all.map((file) => {
    const count = (seen.get(file.name) ?? 0) + 1;
    seen.set(file.name, count);
    return count === 1 ? file : { ...file, name: file.name.replace(/(\.[^.]+)$/u, `-${count}$1`) };
  });
}

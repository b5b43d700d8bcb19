import type { Removal } from "../background/index.ts";
import type { BotError } from "../errors.ts";
import type { Composed, Prepared } from "../images/index.ts";
import { plural } from "./cards/index.ts";
import { inShort } from "./explain.ts";
import { files, type Reply, type ReplyFile } from "./reply.ts";
import { join, type Markup, md } from "./text.ts";

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
  locale: string,
): Reply {
  const done = outcomes.flatMap((outcome) => ("done" in outcome ? [outcome.done] : []));
  const single = outcomes.length === 1;
  const lines = [
    ...outcomes.map((outcome) => (single ? undefined : lineOf(outcome))),
    ...done.map(({ prepared, composed, file }) => remarkOf(prepared, composed, file.name, single)),
    leftOut > 0
      ? md`${plural(leftOut, "picture was", "pictures were", locale)} left out: a message holds ten.`
      : undefined,
  ].filter((line) => line !== undefined);
  return files({
    title: single ? "Background removed" : `${done.length} of ${outcomes.length} pictures done`,
    ...(lines.length === 0 ? {} : { text: join(lines, "\n") }),
    files: uniqueNames(done.map(({ file }) => file)),
    footer: footerOf(done, locale),
  });
}

function lineOf(outcome: CutoutOutcome): Markup | undefined {
  return "error" in outcome
    ? md`**${outcome.name}**: ${inShort(outcome.error)}. ${outcome.error.hint}`
    : undefined;
}

const remarks = {
  asked: undefined,
  webp: "is a WebP, because a PNG would be too large for this place",
  quality: "was saved with a lower quality, to fit into this place",
  smaller: "was made smaller, to fit into this place",
} as const satisfies Record<Composed["fitted"], string | undefined>;

function remarkOf(prepared: Prepared, composed: Composed, name: string, single: boolean) {
  const what = single ? md`The result` : md`**${name}**`;
  const fitted = remarks[composed.fitted];
  if (fitted !== undefined) return md`${what} ${fitted}.`;
  return prepared.fitted === "resized"
    ? md`${what} has ${composed.width}×${composed.height} pixels: the picture was made smaller to be accepted.`
    : undefined;
}

function footerOf(done: readonly Done[], locale: string): string {
  const charged = done.flatMap(({ removal }) => removal.creditsCharged ?? []);
  const cost = charged.length === 0 ? undefined : credits(charged.reduce((sum, one) => sum + one));
  const [first] = done;
  const facts =
    done.length === 1 && first !== undefined
      ? [
          `${first.composed.width}×${first.composed.height}`,
          first.composed.format.toUpperCase(),
          megabytes(first.composed.bytes.length, locale),
        ]
      : [];
  return [cost, ...facts].filter((fact) => fact !== undefined).join(" · ");
}

/** Undefined when the service did not say; absent is not zero. */
export function credits(charged: number | undefined): string | undefined {
  if (charged === undefined) return undefined;
  return `${charged} ${charged === 1 ? "credit" : "credits"}`;
}

function megabytes(bytes: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  return `${format.format(bytes / 1e6)} MB`;
}

function uniqueNames(all: readonly ReplyFile[]): readonly ReplyFile[] {
  const seen = new Map<string, number>();
  return all.map((file) => {
    const count = (seen.get(file.name) ?? 0) + 1;
    seen.set(file.name, count);
    return count === 1 ? file : { ...file, name: file.name.replace(/(\.[^.]+)$/u, `-${count}$1`) };
  });
}

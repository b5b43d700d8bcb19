import {
  adviceOf,
  type Button,
  type Ctx,
  files,
  inShort,
  join,
  notice,
  type Reply,
  type Select,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import { isDone, linesOf, type Telling } from "./remarks.ts";

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
export function drawResults(ctx: Ctx<unknown>, telling: Telling, drawn: Drawn): Reply {
  const { words } = ctx;
  const lines = linesOf(telling, words);
  const footer = footerOf(telling, words);
  const { preview, buttons, selects } = drawn;
  return files({
    title: titleOf(telling, words),
    ...(lines.length > 0 && { text: join(lines, "\n") }),
    files: drawn.files,
    ...(preview !== undefined && { preview }),
    ...(footer !== "" && { footer }),
    ...(buttons.length > 0 && { buttons }),
    ...(selects.length > 0 && { selects }),
  });
}

/** Nothing worked, and there is something that can be done about it: told here, with the way on. */
export function drawFailures(
  ctx: Ctx<unknown>,
  telling: Telling,
  buttons: readonly Button[],
): Reply {
  const { words } = ctx;
  const { outcomes } = telling.batch;
  const errors = outcomes.flatMap((one) => (one.state === "failed" ? [one.error] : []));
  const [first] = errors;
  const isSingle = outcomes.length === 1 && first !== undefined;
  const lines = isSingle ? [adviceOf(first, words)] : linesOf(telling, words);
  return notice({
    tone: "bad",
    title: isSingle ? inShort(first, words) : words.say("background.none_done"),
    text: join([...lines, ...endLines(errors, words)], "\n"),
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

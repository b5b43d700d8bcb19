import { BotError, LimitError } from "../../errors.ts";
import type { Notice } from "./reply.ts";
import { join, type Text, time } from "./text.ts";
import type { Words } from "./words.ts";

/** Errors that are answers to the person rather than failures: told plainly, without an id. */
const calm: ReadonlySet<string> = new Set(["cancelled", "not_yours", "too_old", "rank_too_low"]);

function isCalm({ code, facts }: BotError): boolean {
  return calm.has(code) || facts.isThere === true;
}

/** Where it happened. */
export interface Around {
  /** Of the command, whose options are named as the person's picker has them. */
  readonly path?: string | undefined;
  /** Whether the person may mend connections; others are told whom to ask. */
  readonly isOwner?: boolean | undefined;
  /** What the way there cost, and what is left: `1 unit · 9,350 left today`. */
  readonly spent?: string | undefined;
}

/**
 * The one place that chooses the words of a failure; they come from `failures.json`, never from the error. A title and a
 * hint are looked for by, in this order: the error's code; `duplicate` where what was to be made is there already;
 * `not_found` where the code or the status says so; the error's kind. A name whose message needs a fact that the error
 * lacks is passed over.
 *
 * Below the title stand what earlier steps have changed, the hint, what was charged, when to try again, and what the
 * failure left behind; in the foot a short id that the log has too, and what the way there cost. Anything that is not a
 * BotError is our fault and tells nothing of itself.
 */
export function explain(error: unknown, id: string, words: Words, around: Around = {}): Notice {
  const { path, spent } = around;
  const reference = words.say("common.reference", { id });
  const footer = spent === undefined ? reference : `${reference} · ${spent}`;
  if (!(error instanceof BotError)) {
    const title = words.say("failures.bug.title");
    return { kind: "notice", tone: "bad", title, text: words.say("failures.bug.hint"), footer };
  }
  const isFailure = !isCalm(error);
  return {
    kind: "notice",
    tone: isFailure ? "bad" : "info",
    title: inShort(error, words, path),
    text: join(linesOf(error, words, around), "\n"),
    ...(isFailure ? { footer } : spent !== undefined && { footer: spent }),
  };
}

/** What happened, as a few words for a line among others. */
export function inShort(error: BotError, words: Words, path?: string): string {
  return worded(error, "title", words, { path });
}

/** What to do next, as a sentence or two. */
export function adviceOf(
  error: BotError,
  words: Words,
  { path, isOwner }: Pick<Around, "path" | "isOwner"> = {},
): string {
  const { facts, kind } = error;
  if (facts.isUndecided === true) return words.say("failures.undecided", valuesOf(error, words));
  const advice = worded(error, "hint", words, { path, isOwner });
  const place = placeOf(`${facts.location ?? ""}`, words);
  return kind === "input" && place !== undefined ? `${advice} (${place})` : advice;
}

function linesOf(error: BotError, words: Words, around: Around): readonly Text[] {
  const { spent } = around;
  const before = beforeOf(error, words);
  const advice = adviceOf(error, words, around);
  return [
    before === undefined ? advice : `${before} ${advice}`,
    ...(error.facts.charged === undefined
      ? []
      : [words.say("failures.charged", { charged: error.facts.charged })]),
    ...(error instanceof LimitError && error.retryAt !== undefined
      ? [backAt(error.retryAt, words)]
      : []),
    ...(isCalm(error) ? [] : [words.say(`failures.outcomes.${outcomeOf(error, spent)}`)]),
  ];
}

/** Looking up what was meant may have cost something, though nothing came of it. */
function outcomeOf({ outcome }: BotError, spent: string | undefined) {
  return outcome === "nothing" && spent !== undefined ? "unchanged" : outcome;
}

/** What the steps before the one that failed have done, and is there now. */
function beforeOf({ facts, outcome }: BotError, words: Words): string | undefined {
  if (outcome === "nothing") return undefined;
  if (facts.written !== undefined) {
    return words.say("failures.before.written", { written: facts.written });
  }
  const isBannerUploaded = facts.step === "read" || facts.step === "set";
  return isBannerUploaded ? words.say("failures.before.banner") : undefined;
}

function backAt(at: Date, words: Words): Text {
  return words.md("failures.back", { relative: time(at, "R"), moment: time(at, "f") });
}

/** By the first of the failure's names that has words; every kind has some that need no fact. */
function worded(error: BotError, what: "title" | "hint", words: Words, around: Around): string {
  const values = valuesOf(error, words, around);
  for (const name of namesOf(error)) {
    const said = fill(`failures.${name}.${what}`, values, words);
    if (said !== undefined) return said;
  }
  return words.say(`failures.kinds.${error.kind}.${what}`, values);
}

/** Its code; for one that a service has made up since, what its ending or its status says. */
function* namesOf({ code, facts }: BotError): Generator<string> {
  yield code;
  if (facts.isThere === true) yield "duplicate";
  if (code.endsWith("_not_found") || facts.status === 404) yield "not_found";
}

/** A fact that its thrower forgot leaves a gap; more general words are better than none. */
function fill(key: string, values: Values, words: Words): string | undefined {
  try {
    return words.find(key, values);
  } catch {
    return undefined;
  }
}

type Values = Readonly<Record<string, string | number | boolean>>;

/** Facts that not every error has and messages may ask for, to tell cases apart. */
const unsaid = {
  ...{ service: "", reason: "", step: "", rule: "", bucket: "", end: "", isOwner: "" },
  ...{ isNamed: "", channel: "" },
};

/** What a message is filled with. The names of methods and fields as ICU and people can read them. */
function valuesOf(
  { facts, outcome }: BotError,
  words: Words,
  { path, isOwner }: Around = {},
): Values {
  const { method = "", parameter = "", lookAt = "", permission = "" } = facts;
  const [resource = ""] = `${method}`.split(".");
  const [lookIn = ""] = `${lookAt}`.split(".");
  const field = placeOf(`${parameter}`, words) ?? `${parameter}`;
  return {
    ...unsaid,
    ...(isOwner !== undefined && { isOwner }),
    ...facts,
    // As the page where it is ticked calls it.
    tick: words.find(`web.permissions.${permission}.title`) ?? "",
    ...pickerNames(facts, words, path),
    outcome,
    call: `${method}`.replace(".", "_"),
    resource,
    lookIn,
    field,
  };
}

/** Commands and options are thrown by their English names; the person knows those of their own picker. */
function pickerNames(facts: BotError["facts"], words: Words, path: string | undefined): Values {
  const { command, option, options } = facts;
  const names = typeof options === "string" ? options.split(" ") : [];
  return {
    ...(typeof command === "string" && { command: words.command(command) }),
    ...(typeof option === "string" && { option: words.option(option, path) }),
    ...(names.length > 0 && {
      choices: words.list(names.map((name) => words.option(name, path))),
    }),
  };
}

/** `body.snippet.title` -> "title", as people call it; the service's own names for places say nothing to them. */
function placeOf(place: string, words: Words): string | undefined {
  return words.find(`failures.fields.${place.slice(place.lastIndexOf(".") + 1)}`);
}

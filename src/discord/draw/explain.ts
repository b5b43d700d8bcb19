import { BotError, LimitError } from "../../errors.ts";
import type { Notice } from "./reply.ts";
import { cut, join, type Markup, md, type Text, time } from "./text.ts";
import type { Words } from "./words.ts";

/** Errors that are answers rather than failures: shown plainly, without an id. */
const calmCodes: ReadonlySet<string> = new Set([
  "cancelled",
  "not_yours",
  "too_old",
  "rank_too_low",
]);

function isCalm({ code, facts }: BotError): boolean {
  return calmCodes.has(code) || facts.isThere === true;
}

/** Where it happened. */
interface FailureContext {
  /** The command's path, so that its options are named as in the person's picker. */
  readonly path?: string | undefined;
  /** Whether the person may reconnect channels; others read whom to ask. */
  readonly isOwner?: boolean | undefined;
  /** What was spent before the failure, and what is left: `1 unit · 9,350 units left today`. */
  readonly spent?: string | undefined;
  /** Whether what failed could have changed or cost something. */
  readonly mayChange?: boolean | undefined;
}

/**
 * The one place that chooses the words of a failure; they come from `failures.json`, never from the error. A title and a
 * hint are looked up by, in this order: the error's code; `duplicate` where what should be made exists already;
 * `not_found` where the code or the status says so; `unforeseen` for a service's refusal; the error's kind. A name whose
 * message needs a fact that the error lacks is passed over. The service's own words follow the hint where they came along.
 *
 * Below the title: what earlier steps have changed, the hint, what was charged, when to try again, and what the failure
 * left behind. In the footer: a short id that the log has too, and what was spent. Anything that is not a BotError is our
 * bug, and shows nothing but the id.
 */
export function describeFailure(
  error: unknown,
  id: string,
  words: Words,
  around: FailureContext = {},
): Notice {
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
    tone: error.code === "cancelled" || error.facts.isThere === true ? "neutral" : "bad",
    title: describeFailureShortly(error, words, path),
    text: join(describeDetails(error, words, around), "\n"),
    ...(isFailure ? { footer } : spent !== undefined && { footer: spent }),
  };
}

/** What happened, as a few words for a line among others. */
export function describeFailureShortly(error: BotError, words: Words, path?: string): string {
  const values = messageValues(error, words, { path });
  for (const name of failureNames(error)) {
    const text = unlessIncomplete(() => words.find(`failures.${name}.title`, values));
    if (text !== undefined) return text;
  }
  return words.say(`failures.kinds.${error.kind}.title`, values);
}

/** More of what a service says would leave no room for the other lines. */
const maxSaidInLine = 100;

/** What happened, with the service's own words where nobody foresaw it, for a line among others. */
export function describeFailureInLine(error: BotError, words: Words): string {
  const what = describeFailureShortly(error, words);
  const { facts } = error;
  if (typeof facts.said !== "string") return what;
  const said = cut(facts.said, maxSaidInLine);
  return words.say("failures.in_line", { what, by: serviceName(facts), said });
}

/** What to do next, as a sentence or two. */
export function describeAdvice(
  error: BotError,
  words: Words,
  { path, isOwner }: Pick<FailureContext, "path" | "isOwner"> = {},
): Markup {
  const { facts, kind } = error;
  if (facts.isUndecided === true)
    return words.md("failures.undecided", messageValues(error, words));
  const advice = findHint(error, words, { path, isOwner });
  const place = findFieldName(`${facts.location ?? ""}`, words);
  const placed = kind === "input" && place !== undefined ? md`${advice} (${place})` : advice;
  if (typeof facts.said !== "string") return placed;
  // The service's own words about what nobody foresaw, marked as its own.
  const quoted = words.md("failures.said", { by: serviceName(facts), said: facts.said });
  return join([placed, quoted], " ");
}

const serviceNames: Readonly<Record<string, string>> = {
  background: "remove.bg",
  consent: "Google",
  discord: "Discord",
};

function serviceName({ service, engineHost }: BotError["facts"]): string {
  // A server may have another service than remove.bg.
  if (service === "background" && typeof engineHost === "string") return engineHost;
  return serviceNames[`${service}`] ?? "YouTube";
}

function describeDetails(error: BotError, words: Words, around: FailureContext): readonly Text[] {
  const { spent, mayChange } = around;
  const at = error instanceof LimitError ? error.retryAt : undefined;
  // Reading may have cost something although nothing was changed.
  const left = error.outcome === "nothing" && spent !== undefined ? "unchanged" : error.outcome;
  const before = describeDoneBefore(error, words);
  const advice = describeAdvice(error, words, around);
  return [
    before === undefined ? advice : md`${before} ${advice}`,
    ...(error.facts.charged === undefined
      ? []
      : [words.say("failures.charged", { charged: error.facts.charged })]),
    ...(at === undefined
      ? []
      : [words.md("failures.back", { relative: time(at, "R"), moment: time(at, "f") })]),
    ...(isOutcomeClear(error, mayChange) ? [] : [words.say(`failures.outcomes.${left}`)]),
  ];
}

/** Nobody expects a typo, a refusal before anything was sent, or reading to have changed something. */
export function isOutcomeClear(error: BotError, mayChange = false): boolean {
  if (isCalm(error)) return true;
  // Its words say that it may have been done, and where to look.
  if (error.facts.isUndecided === true) return true;
  if (error.code === "unreadable_answer" && error.outcome === "unknown") return true;
  // Its words say what was charged, which is the part that was done.
  if (error.outcome === "part" && error.facts.charged !== undefined) return true;
  if (error.outcome !== "nothing") return false;
  const { kind, facts } = error;
  // A free service needs no “nothing was charged”.
  if (facts.isFree === true) return true;
  const wasSent = kind === "service" || kind === "network" || facts.status !== undefined;
  return !mayChange || !wasSent || facts.status === 404;
}

/** What the steps before the failed one have changed. */
function describeDoneBefore({ facts, outcome }: BotError, words: Words): string | undefined {
  if (outcome === "nothing") return undefined;
  if (facts.written !== undefined) {
    return words.say("failures.before.written", { written: facts.written });
  }
  const isBannerUploaded = facts.step === "read" || facts.step === "set";
  return isBannerUploaded ? words.say("failures.before.banner") : undefined;
}

/** Facts that are moments, in milliseconds; Discord shows them in each reader's own time. */
const momentFacts = ["moment", "since", "until"] as const;

/** The words for the first of the failure's names that has any; every kind has words that need no fact. */
function findHint(error: BotError, words: Words, around: FailureContext): Markup {
  const { facts } = error;
  const values: Record<string, Text | number | boolean> = messageValues(error, words, around);
  if (typeof facts.command === "string") values.command = words.mention(facts.command);
  for (const name of momentFacts) {
    const at = facts[name];
    if (typeof at === "number") values[name] = time(new Date(at), "f");
  }
  for (const name of failureNames(error)) {
    const text = unlessIncomplete(() => words.findMd(`failures.${name}.hint`, values));
    if (text !== undefined) return text;
  }
  return words.md(`failures.kinds.${error.kind}.hint`, values);
}

/** The error's code; for an unknown code of a service, also what its ending or its status says. */
function* failureNames({ code, facts, kind }: BotError): Generator<string> {
  yield code;
  if (facts.isThere === true) yield "duplicate";
  if (code.endsWith("_not_found") || facts.status === 404) yield "not_found";
  if (facts.status !== undefined && (kind === "input" || kind === "access")) yield "unforeseen";
}

/** Undefined where the message needs a fact that the error lacks: more general words are better than a gap. */
function unlessIncomplete<T>(fill: () => T): T | undefined {
  try {
    return fill();
  } catch {
    return undefined;
  }
}

type FailureValues = Readonly<Record<string, string | number | boolean>>;

/** Facts by which messages distinguish cases, and that not every error has. */
const absentFacts = {
  service: "",
  reason: "",
  step: "",
  rule: "",
  bucket: "",
  end: "",
  isOwner: "",
  isNamed: "",
  channel: "",
  pool: "",
  engineHost: "none",
};

/** What a message is filled with. The names of methods and fields as ICU and people can read them. */
function messageValues(
  { facts, outcome, kind }: BotError,
  words: Words,
  { path, isOwner }: FailureContext = {},
): FailureValues {
  const { method = "", parameter = "", lookAt = "", permission = "" } = facts;
  const [resource = ""] = `${method}`.split(".");
  const [lookIn = ""] = `${lookAt}`.split(".");
  const field = findFieldName(`${parameter}`, words) ?? `${parameter}`;
  const { command, option, options } = facts;
  const names = typeof options === "string" ? options.split(" ") : [];
  return {
    ...absentFacts,
    ...(isOwner !== undefined && { isOwner }),
    ...facts,
    // The permission's title on the consent page.
    tick: words.find(`web.permissions.${permission}.title`) ?? "",
    // Errors name commands and options in English; the person knows the names in their own picker.
    ...(typeof command === "string" && { command: words.command(command) }),
    ...(typeof option === "string" && { option: words.option(option, path) }),
    ...(names.length > 0 && { choices: words.list(names.map((name) => words.option(name, path))) }),
    outcome,
    kind,
    by: serviceName(facts),
    call: `${method}`.replace(".", "_"),
    resource,
    lookIn,
    field,
  };
}

/** `body.snippet.title` -> "title" in the person's language; the service's own field names would mean nothing to them. */
function findFieldName(place: string, words: Words): string | undefined {
  return words.find(`failures.fields.${place.slice(place.lastIndexOf(".") + 1)}`);
}

import { randomBytes } from "node:crypto";
import { BotError, type Kind, LimitError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { PageTranslator, PageValues } from "./page-translator.ts";
import type { LinkPageMessage } from "./pages/page-frame.ts";

export interface PageFailure {
  readonly status: number;
  readonly message: LinkPageMessage;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The reasons for which this room refuses by itself, with their statuses. */
const refusals = {
  nothing_here: 404,
  foreign: 403,
  unknown_browser: 403,
  unreadable: 400,
  taken: 410,
  without_channel: 409,
  flood: 429,
} as const;

export type PageRefusal = keyof typeof refusals;

const statuses = {
  input: 400,
  access: 403,
  connect: 409,
  limit: 429,
  service: 503,
  network: 502,
  config: 503,
} as const satisfies Record<Kind, number>;

/** For links that were used, are old or never existed. */
const gone = 410;
const retryAfterS = 60;

export function describeRefusal(refusal: PageRefusal, speech: PageTranslator): PageFailure {
  const message = {
    title: speech.say(`web.refused.${refusal}.title`),
    hint: speech.say(`web.refused.${refusal}.hint`),
  };
  const headers = refusal === "flood" ? { "Retry-After": `${retryAfterS}` } : {};
  return { status: refusals[refusal], message, headers };
}

/**
 * The one place that chooses the words for a failure: those for its code, else for its kind, else those for a bug. Anything
 * that is not a BotError is our bug, and shows nothing but the short id under which it is in the log.
 */
export function describePageFailure(error: unknown, speech: PageTranslator): PageFailure {
  if (!(error instanceof BotError)) {
    const reference = randomBytes(4).toString("hex");
    return { status: 500, message: { ...bugWords(speech), reference } };
  }
  const status = error.code === "link_over" ? gone : statuses[error.kind];
  const values = valuesOf(error);
  const message =
    wordsOf(error.code, values, speech) ??
    wordsOf(`kinds.${error.kind}`, values, speech) ??
    bugWords(speech);
  const headers = error instanceof LimitError ? { "Retry-After": `${retryAfterS}` } : {};
  return { status, message: withService(message, error, speech), headers };
}

/** Adds the service's own words about what nobody foresaw. All refusals here are about access, which Google gives. */
function withService(
  message: LinkPageMessage,
  { facts }: BotError,
  speech: PageTranslator,
): LinkPageMessage {
  const { said } = facts;
  if (typeof said !== "string") return message;
  const by = serviceNameOf(facts);
  return { ...message, hint: `${message.hint} ${speech.say("failures.said", { by, said })}` };
}

function serviceNameOf({ service }: BotError["facts"]): string {
  return service === "consent" ? "Google" : "YouTube";
}

/** Only failures of a service, and our own, need attention; what strangers send here does not. */
export function logPageFailure(
  error: unknown,
  { step, log, failure }: { step: string; log: Log; failure: PageFailure },
): void {
  const { reference } = failure.message;
  if (reference !== undefined) log.error("a page failed", { step, id: reference, error });
  else if (failure.status >= 500) log.warn("a step of a link failed", { step, error });
  else log.debug("a step of a link was refused", { step, error });
}

/** Facts that messages may ask for to distinguish cases, and that not every error has. */
const unsaid = { service: "", reason: "", step: "", rule: "", bucket: "", end: "", isOwner: "" };

function valuesOf({ facts, outcome }: BotError): PageValues {
  return { ...unsaid, ...facts, outcome, by: serviceNameOf(facts) };
}

function bugWords(speech: PageTranslator) {
  return { title: speech.say("failures.bug.title"), hint: speech.say("failures.bug.hint") };
}

/** Undefined if the message needs a fact that is missing. Then more general words are used. */
function wordsOf(name: string, values: PageValues, speech: PageTranslator) {
  try {
    const title = speech.find(`failures.${name}.title`, values);
    const hint = speech.find(`failures.${name}.hint`, values);
    return title === undefined || hint === undefined ? undefined : { title, hint };
  } catch {
    return undefined;
  }
}

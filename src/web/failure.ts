import { randomBytes } from "node:crypto";
import { BotError, type Kind, LimitError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Message } from "./pages/message-page.ts";
import type { Speech, Values } from "./speech.ts";

export interface Failure {
  readonly status: number;
  readonly message: Message;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What this room refuses in its own words, by their name. */
const refusals = {
  nothing_here: 404,
  foreign: 403,
  unknown_browser: 403,
  unreadable: 400,
  taken: 410,
  without_channel: 409,
  flood: 429,
} as const;

export type Refusal = keyof typeof refusals;

const statuses = {
  input: 400,
  access: 403,
  connect: 409,
  limit: 429,
  service: 503,
  network: 502,
  config: 503,
} as const satisfies Record<Kind, number>;

/** Links that are over, whether they were used, are old or never were. */
const gone = 410;
const retryAfterS = 60;

export function refuse(refusal: Refusal, speech: Speech): Failure {
  const message = {
    title: speech.say(`web.refused.${refusal}.title`),
    hint: speech.say(`web.refused.${refusal}.hint`),
  };
  const headers = refusal === "flood" ? { "Retry-After": `${retryAfterS}` } : {};
  return { status: refusals[refusal], message, headers };
}

/**
 * The one place that chooses the words of a failure: the code's own, else its kind's, else those of a bug. Anything that is not a BotError
 * is our fault; it tells nothing of itself but the short id under which the log has it.
 */
export function explain(error: unknown, speech: Speech): Failure {
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
  return { status, message, headers };
}

/** Only faults of a service or of ours are worth somebody's attention; what strangers send here is not. */
export function note(
  error: unknown,
  { step, log, failure }: { step: string; log: Log; failure: Failure },
): void {
  const { reference } = failure.message;
  if (reference !== undefined) log.error("a page failed", { step, id: reference, error });
  else if (failure.status >= 500) log.warn("a step of a link failed", { step, error });
  else log.debug("a step of a link was refused", { step, error });
}

/** Facts that not every error has and messages may ask for, to tell cases apart. */
const unsaid = { service: "", reason: "", step: "", rule: "", bucket: "", end: "", isOwner: "" };

function valuesOf({ facts, outcome }: BotError): Values {
  return { ...unsaid, ...facts, outcome };
}

function bugWords(speech: Speech) {
  return { title: speech.say("failures.bug.title"), hint: speech.say("failures.bug.hint") };
}

/** Undefined where a fact is missing that the message needs; the next words are better than none. */
function wordsOf(name: string, values: Values, speech: Speech) {
  try {
    const title = speech.find(`failures.${name}.title`, values);
    const hint = speech.find(`failures.${name}.hint`, values);
    return title === undefined || hint === undefined ? undefined : { title, hint };
  } catch {
    return undefined;
  }
}

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

export function describeRefusal(refusal: PageRefusal, translator: PageTranslator): PageFailure {
  const message = {
    title: translator.say(`web.refused.${refusal}.title`),
    hint: translator.say(`web.refused.${refusal}.hint`),
  };
  const headers = refusal === "flood" ? { "Retry-After": `${retryAfterS}` } : {};
  return { status: refusals[refusal], message, headers };
}

/**
 * The one place that chooses the words for a failure: those for its code, else for its kind, else those for a bug. Anything
 * that is not a BotError is our bug, and shows nothing but the short id under which it is in the log.
 */
export function describePageFailure(error: unknown, translator: PageTranslator): PageFailure {
  if (!(error instanceof BotError)) {
    const reference = randomBytes(4).toString("hex");
    return { status: 500, message: { ...bugWords(translator), reference } };
  }
  const status = error.code === "link_over" ? gone : statuses[error.kind];
  const values = messageValues(error);
  const message =
    findWords(error.code, values, translator) ??
    findWords(`kinds.${error.kind}`, values, translator) ??
    bugWords(translator);
  const headers = error instanceof LimitError ? { "Retry-After": `${retryAfterS}` } : {};
  return { status, message: withService(message, error, translator), headers };
}

/** Adds the service's own words about what nobody foresaw. All refusals here are about access, which Google gives. */
function withService(
  message: LinkPageMessage,
  { facts }: BotError,
  translator: PageTranslator,
): LinkPageMessage {
  const { said } = facts;
  if (typeof said !== "string") return message;
  const by = serviceName(facts);
  return { ...message, hint: `${message.hint} ${translator.say("failures.said", { by, said })}` };
}

function serviceName({ service }: BotError["facts"]): string {
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

function messageValues({ facts, outcome }: BotError): PageValues {
  return { ...unsaid, ...facts, outcome, by: serviceName(facts) };
}

function bugWords(translator: PageTranslator) {
  return { title: translator.say("failures.bug.title"), hint: translator.say("failures.bug.hint") };
}

/** Undefined if the message needs a fact that is missing. Then more general words are used. */
function findWords(name: string, values: PageValues, translator: PageTranslator) {
  try {
    const title = translator.find(`failures.${name}.title`, values);
    const hint = translator.find(`failures.${name}.hint`, values);
    return title === undefined || hint === undefined ? undefined : { title, hint };
  } catch {
    return undefined;
  }
}

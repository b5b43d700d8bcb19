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

/** Failures that the pages themselves find, with their statuses. */
const ownFailures = {
  nothing_here: 404,
  foreign: 403,
  unknown_browser: 403,
  unreadable: 400,
  taken: 410,
  without_channel: 409,
  flood: 429,
} as const;

export type OwnFailure = keyof typeof ownFailures;

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

export function describeOwnFailure(failure: OwnFailure, translator: PageTranslator): PageFailure {
  const message = {
    title: translator.say(`web.refused.${failure}.title`),
    hint: translator.say(`web.refused.${failure}.hint`),
  };
  const headers = failure === "flood" ? { "Retry-After": `${retryAfterS}` } : {};
  return { status: ownFailures[failure], message, headers };
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
  const { facts, outcome } = error;
  const by = facts.service === "consent" ? "Google" : "YouTube";
  const values = { ...unsaid, ...facts, outcome, by };
  const { title, hint } =
    findWords(error.code, values, translator) ??
    findWords(`kinds.${error.kind}`, values, translator) ??
    bugWords(translator);
  const { said } = facts;
  // What YouTube or Google says about a failure that we have no words for.
  const more = typeof said === "string" ? ` ${translator.say("failures.said", { by, said })}` : "";
  const headers = error instanceof LimitError ? { "Retry-After": `${retryAfterS}` } : {};
  return { status, message: { title, hint: `${hint}${more}` }, headers };
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

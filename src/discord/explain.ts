import { BotError, LimitError, type Outcome } from "../errors.ts";
import type { Notice } from "./reply.ts";
import { md, type Text, time } from "./text.ts";
import { titleOf } from "./titles.ts";

const outcomes = {
  nothing: "Nothing was changed and nothing was charged.",
  part: "Part of it was done; what is shown above stays.",
  unknown: "It is not certain whether it was done.",
} as const satisfies Record<Outcome, string>;

/** Errors that are answers to the person rather than failures: told plainly, without an id. */
const calm: ReadonlySet<string> = new Set(["cancelled", "not_yours", "too_old", "rank_too_low"]);

function isCalm({ code, facts }: BotError): boolean {
  return calm.has(code) || facts.isThere === true;
}

/**
 * The one place that chooses the words of a failure. Precedence: the code's own title, else its kind's; the error's
 * hint as the next step; when it is worth another try; what was left behind; a short id that the log has too.
 * Anything that is not a BotError is our fault and tells nothing of itself.
 */
export function explain(error: unknown, id: string): Notice {
  if (!(error instanceof BotError)) {
    return {
      kind: "notice",
      tone: "bad",
      title: "Something went wrong on my side",
      text: "Sorry. It has been written down with the reference below. Trying again may help; if it doesn't, tell the people who run this bot.",
      footer: `Reference ${id}`,
    };
  }
  return {
    kind: "notice",
    tone: isCalm(error) ? "info" : "bad",
    title: inShort(error),
    text: body(error),
    ...(isCalm(error) ? {} : { footer: `Reference ${id}` }),
  };
}

/** What happened, as a few words for a line among others. */
export function inShort(error: BotError): string {
  const { option, wanted } = error.facts;
  if (error.code === "option_unreadable") return `The option “${option}” needs ${wanted}`;
  return titleOf(error);
}

function body(error: BotError): Text {
  const back =
    error instanceof LimitError && error.retryAt !== undefined
      ? md`\nBack ${time(error.retryAt, "R")}, at ${time(error.retryAt, "f")}.`
      : "";
  const outcome = isCalm(error) ? "" : md`\n${outcomes[error.outcome]}`;
  return md`${error.hint}${back}${outcome}`;
}

import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import { isRecord, jsonOf } from "./json.ts";
import type { Account, Improvement } from "./types.ts";

/** Reads the balance; a credit field that is missing counts as none. @throws ServiceError `unreadable_answer` */
export function accountOf({ body }: HttpResponse): Account {
  const attributes = under(under(jsonOf(body), "data"), "attributes");
  const credits = under(attributes, "credits");
  if (typeof credits.total !== "number") throw noBalance();
  return {
    credits: {
      total: credits.total,
      subscription: amountOf(credits.subscription),
      payg: amountOf(credits.payg),
      enterprise: amountOf(credits.enterprise),
    },
    api: { freeCalls: amountOf(under(attributes, "api").free_calls) },
  };
}

function under(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const inner = isRecord(value) ? value[name] : undefined;
  return isRecord(inner) ? inner : {};
}

function amountOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function noBalance(): ServiceError {
  return new ServiceError("account answered something without a balance", {
    code: "unreadable_answer",
    facts: { service: "background" },
  });
}

/** @throws ServiceError `unreadable_answer`, of a picture that may have been taken. */
export function improvementOf({ body }: HttpResponse): Improvement {
  const answer = jsonOf(body);
  if (isRecord(answer) && typeof answer.id === "string" && answer.id !== "") {
    return { id: answer.id };
  }
  throw new ServiceError("improve answered something without an id", {
    code: "unreadable_answer",
    outcome: "unknown",
    facts: { service: "background" },
  });
}

import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import type { Account } from "./types.ts";

interface AccountAnswer {
  readonly data?: {
    readonly attributes?: {
      readonly credits?: Readonly<Record<string, number | undefined>>;
      readonly api?: { readonly free_calls?: number };
    };
  };
}

/** Reads the balance; a credit field that is missing counts as none. @throws ServiceError `unreadable_answer` */
export function accountOf({ body }: HttpResponse): Account {
  const { credits, api } = parse(body)?.data?.attributes ?? {};
  if (typeof credits?.total !== "number") throw unreadable();
  const { total, subscription = 0, payg = 0, enterprise = 0 } = credits;
  return {
    credits: { total, subscription, payg, enterprise },
    api: { freeCalls: api?.free_calls ?? 0 },
  };
}

function parse(body: Buffer): AccountAnswer | undefined {
  try {
    // The one field that everything hangs on is checked above; the rest has defaults.
    return JSON.parse(body.toString()) as AccountAnswer;
  } catch {
    throw unreadable();
  }
}

function unreadable(): ServiceError {
  return new ServiceError("account answered something without a balance", {
    code: "unreadable_answer",
    hint: "The image service did not tell the balance. Try again in a few minutes.",
    facts: { service: "background" },
  });
}

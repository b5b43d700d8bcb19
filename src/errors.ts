import type { Facts, FailureFacts } from "./failure-facts.ts";

export type { Facts };

/** What the failed call left behind: `nothing` was changed or spent, `part` of it was, or it is `unknown`. */
export type Outcome = "nothing" | "part" | "unknown";

/** The name of a failure that has words of its own. */
export type FailureCode = keyof FailureFacts;

/** A code that is only known at run time, such as a service's own reason, may have any facts. */
type FactsFor<C extends string> = string extends C
  ? { readonly facts?: Facts }
  : C extends FailureCode
    ? Facts extends FailureFacts[C]
      ? { readonly facts?: Facts }
      : { readonly facts: FailureFacts[C] }
    : { readonly code: FailureCode; readonly facts?: Facts };

interface BaseOptions<C extends string> {
  /** Stable snake_case name of the failure; words, tests and logs go by it. */
  readonly code: C;
  /** Defaults to `nothing`. */
  readonly outcome?: Outcome;
  readonly cause?: unknown;
}

export type BotErrorOptions<C extends string = string> = BaseOptions<C> & FactsFor<C>;

/**
 * Base of every failure Greenroom knows. `message` is for the log; what a person reads is made from `code` and `facts` by
 * the message files. A code that they do not have, or facts that their words lack, do not compile.
 */
export abstract class BotError<C extends string = string> extends Error {
  abstract readonly kind: Kind;
  readonly code: C;
  readonly outcome: Outcome;
  readonly facts: Facts;

  constructor(message: string, options: BotErrorOptions<C>) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.outcome = options.outcome ?? "nothing";
    this.facts = options.facts ?? {};
  }

  /** Adds facts that only a caller knows, such as which host answered. */
  addFacts(more: Facts): this {
    return Object.assign(this, { facts: { ...this.facts, ...more } });
  }

  override get name(): string {
    return this.constructor.name;
  }
}

export type Kind = "input" | "access" | "connect" | "service" | "limit" | "network" | "config";

/** The person's input can't be used: wrong type, out of range, unreadable. */
export class InputError<C extends string = string> extends BotError<C> {
  readonly kind = "input";
}

/** The person may not do this here, or the service that was asked says this account may not. */
export class AccessError<C extends string = string> extends BotError<C> {
  readonly kind = "access";
}

/** A credential is missing, was refused, or lacks a permission. */
export class ConnectError<C extends string = string> extends BotError<C> {
  readonly kind = "connect";
}

/** A service or the store answered with a failure of its own. */
export class ServiceError<C extends string = string> extends BotError<C> {
  readonly kind = "service";
}

/** A rate limit, a daily budget or a queue is full; `retryAt` says when it is worth another try. */
export class LimitError<C extends string = string> extends BotError<C> {
  readonly kind = "limit";
  readonly retryAt: Date | undefined;

  constructor(message: string, options: BotErrorOptions<C> & { readonly retryAt?: Date }) {
    super(message, options);
    this.retryAt = options.retryAt;
  }
}

/** No usable answer: refused, timed out, or cut. `outcome` is `unknown` once the request had left. */
export class NetworkError<C extends string = string> extends BotError<C> {
  readonly kind = "network";
}

/**
 * The environment, a key or the database can't be used; the process must not start with it. It brings its own English,
 * because the operator meets it before any language is known. With the fact `mayPass` the same start may work later.
 */
export class ConfigError extends BotError {
  readonly kind = "config";
  /** What the operator can do next, as a sentence. */
  readonly hint: string;

  constructor(message: string, options: BotErrorOptions & { readonly hint: string }) {
    super(message, options);
    this.hint = options.hint;
  }
}

/** A write came after its server was erased: whoever tries failed writes again drops this one. */
export function isServerErased(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "guild_erased";
}

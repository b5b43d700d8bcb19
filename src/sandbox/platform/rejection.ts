import { type Check, createReport, type FormErrors } from "./check/check.ts";
import rejections from "./rejections.json" with { type: "json" };

/** An answer other than success, in Discord's own words. */
export class Rejection extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 429 | 500;
  readonly code: number;
  readonly errors: FormErrors | undefined;

  constructor(status: Rejection["status"], code: number, message: string, errors?: FormErrors) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  body(): object {
    const { message, code, errors } = this;
    return errors === undefined ? { message, code } : { message, code, errors };
  }
}

type RejectionName = keyof typeof rejections;

/**
 * One of `rejections.json`, with the number that its message names. Codes:
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
export function rejection(name: RejectionName, count?: number): Rejection {
  const { status, code, message } = rejections[name];
  // The compiler reads the numbers of a JSON file as any number.
  return new Rejection(status as Rejection["status"], code, message.replace("{count}", `${count}`));
}

function formRejection(errors: FormErrors): Rejection {
  return new Rejection(400, 50_035, "Invalid Form Body", errors);
}

/** The error with its fields named from one level higher up. */
export function withinField(field: string, error: unknown): unknown {
  const isForm = error instanceof Rejection && error.errors !== undefined;
  return isForm ? formRejection({ [field]: error.errors }) : error;
}

/** @throws Rejection 50035 with what the check found. */
export function demand(check: Check, value: unknown): void {
  const report = createReport();
  check(value, report);
  const errors = report.errors();
  if (errors !== undefined) throw formRejection(errors);
}

/** @throws Rejection 50035 for one field. */
export function failField(path: readonly string[], code: string, message: string): never {
  const report = createReport();
  path.reduce((at, field) => at.at(field), report).fail(code, message);
  throw formRejection(report.errors() ?? {});
}

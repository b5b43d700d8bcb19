import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Download } from "./types.ts";

/** What was called. */
interface Called {
  readonly method: string;
  readonly row: MethodSpec;
}

/** No page of 50 comes near it: the fullest one in the wild is well below. */
export const maxAnswerBytes = 8 * 1024 * 1024;
/** The largest caption file that the service takes is also the largest it gives (facts: upload limits). */
export const maxDownloadBytes = 100 * 1024 * 1024;

/** Whether an answer means that the work is done. */
export function isDone({ retry }: MethodSpec, { status, maybeDone }: HttpResponse): boolean {
  if (status >= 200 && status < 300) return true;
  // A delete that was repeated and finds nothing has done its work the first time.
  return retry === "delete" && status === 404 && maybeDone === true;
}

/** The value of a success: JSON, a file, or nothing. A resource without a body is one without fields. @throws ServiceError `unreadable_answer` */
export function answerOf(called: Called, response: HttpResponse): unknown {
  const { result, media } = called.row;
  if (response.status >= 300) return undefined;
  if (media?.direction === "down") return downloadOf(called, response);
  if (result === undefined) return undefined;
  const isEmpty = response.body.byteLength === 0;
  if (result.kind === "one") return isEmpty ? {} : parse(called, response);
  return isEmpty ? { items: [] } : listOf(called, parse(called, response));
}

/** A list without hits may come without its items. */
function listOf(called: Called, answer: object): object {
  const items: unknown = "items" in answer ? answer.items : undefined;
  if (Array.isArray(items)) return answer;
  if (items === undefined || items === null) return { ...answer, items: [] };
  throw unreadable(called, "something else than a list");
}

function parse(called: Called, { headers, body }: HttpResponse): object {
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw unreadable(called, "something that calls itself no JSON");
  }
  try {
    const answer: unknown = JSON.parse(body.toString());
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer;
  } catch {
    // Reported below: whatever the reason, an answer that can't be read is of no use.
  }
  throw unreadable(called, "something that is no JSON object");
}

function downloadOf(called: Called, { headers, body }: HttpResponse): Download {
  const type = headers["content-type"] ?? "application/octet-stream";
  // No file of this service is a web page; a gateway's apology is.
  if (/^text\/html\b/i.test(type)) throw unreadable(called, "a web page instead of a file");
  return { data: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), type };
}

/** A success that can't be used; of a write nobody knows what it has done. */
export function unreadable({ method, row }: Called, what: string): ServiceError {
  const isRead = row.effect === "read";
  return new ServiceError(`${method} answered ${what}`, {
    code: "unreadable_answer",
    outcome: isRead ? "nothing" : "unknown",
    facts: { method },
  });
}

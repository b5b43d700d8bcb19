import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import { isWebPage } from "../service-words.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { DownloadedFile } from "./types.ts";

interface AnsweredCall {
  readonly method: string;
  readonly methodSpec: MethodSpec;
}

/** The fullest page of 50 that we have seen is much smaller. */
export const maxAnswerBytes = 8 * 1024 * 1024;
/** The captions of a whole day of speech have a few megabytes. */
export const maxDownloadBytes = 16 * 1024 * 1024;

/** Whether the answer means that the work is done. */
export function isCallDone({ retry }: MethodSpec, { status, maybeDone }: HttpResponse): boolean {
  if (status >= 200 && status < 300) return true;
  // A repeated delete that finds nothing did its work the first time.
  return retry === "delete" && status === 404 && maybeDone === true;
}

/**
 * The value of a successful answer: JSON, a file, or nothing. An empty body stands for a resource without fields.
 * @throws ServiceError `unreadable_answer`
 */
export function readVideoAnswer(call: AnsweredCall, response: HttpResponse): unknown {
  const { result, media } = call.methodSpec;
  if (response.status >= 300) return undefined;
  if (media?.direction === "down") return readDownload(call, response);
  if (result === undefined) return undefined;
  const isEmpty = response.body.byteLength === 0;
  if (result.kind === "one") return isEmpty ? {} : parse(call, response);
  return isEmpty ? { items: [] } : readList(call, parse(call, response));
}

/** A list without results may come without `items`. */
function readList(call: AnsweredCall, answer: object): object {
  const items: unknown = "items" in answer ? answer.items : undefined;
  if (Array.isArray(items)) return answer;
  if (items === undefined || items === null) return { ...answer, items: [] };
  throw unreadableAnswer(call, "something else than a list");
}

function parse(call: AnsweredCall, { headers, body }: HttpResponse): object {
  if (isWebPage({ headers, body })) throw unreadableAnswer(call, "a web page", "web_page_answer");
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw unreadableAnswer(call, "something that calls itself no JSON");
  }
  try {
    const answer: unknown = JSON.parse(body.toString());
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer;
  } catch {
    // Reported below, whatever the reason is that it can't be read.
  }
  throw unreadableAnswer(call, "something that is no JSON object");
}

function readDownload(call: AnsweredCall, { headers, body }: HttpResponse): DownloadedFile {
  const type = headers["content-type"] ?? "application/octet-stream";
  // YouTube has no files that are web pages, so this is an error page of a gateway.
  if (/^text\/html\b/i.test(type)) throw unreadableAnswer(call, "a web page", "web_page_answer");
  return { data: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), type };
}

/** The error for a successful answer that can't be read. Of a write it is unknown what it has done. */
export function unreadableAnswer(
  { method, methodSpec }: AnsweredCall,
  what: string,
  code: "unreadable_answer" | "web_page_answer" = "unreadable_answer",
): ServiceError {
  const isRead = methodSpec.effect === "read";
  return new ServiceError(`${method} answered ${what}`, {
    code,
    outcome: isRead ? "nothing" : "unknown",
    facts: { method },
  });
}

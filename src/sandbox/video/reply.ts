import { MediaAnswer } from "./call.ts";
import { selectFields } from "./fields.ts";
import { ApiRefusal } from "./refusal.ts";
import { etagFor } from "./resource.ts";
import type { ApiRequest } from "./video-request.ts";

export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** What a handler gave, as the request wants it: trimmed by `fields`, empty when the client has it already. */
export function toReply(
  content: object | MediaAnswer | undefined,
  { verb, search, headers }: Pick<ApiRequest, "verb" | "search" | "headers">,
): ApiReply {
  if (content === undefined) return { status: 204, headers: {}, body: undefined };
  if (content instanceof MediaAnswer) {
    return { status: 200, headers: { "Content-Type": content.type }, body: content.bytes };
  }
  const etag = "etag" in content ? String(content.etag) : etagFor(content);
  if (verb === "GET" && hasEtag(headers["if-none-match"], etag)) {
    return { status: 304, headers: { ETag: etag }, body: undefined };
  }
  const chosen = selectFields(content, search.get("fields"));
  return json(200, chosen, { ETag: etag });
}

export function toFailure(error: unknown): ApiReply {
  if (error instanceof ApiRefusal) return json(error.status, error.body());
  const message = `Internal error encountered: ${error}`;
  return json(500, {
    error: { code: 500, message, errors: [{ message, reason: "internalError" }] },
  });
}

/** Whether a condition's list names the etag; quotes are optional. */
export function hasEtag(condition: string | undefined, etag: string): boolean {
  const named = condition?.split(",").map((entry) => entry.trim().replace(/^W\/|"/g, ""));
  return named?.some((entry) => entry === "*" || entry === etag) === true;
}

export function toResponse({ status, headers, body }: ApiReply): Response {
  const bytes = typeof body === "object" ? Uint8Array.from(body) : body;
  return new Response(bytes ?? null, { status, headers });
}

function json(
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): ApiReply {
  const type = "application/json; charset=UTF-8";
  return { status, headers: { "Content-Type": type, ...headers }, body: JSON.stringify(content) };
}

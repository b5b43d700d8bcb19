import { ApiError } from "./api-error.ts";
import { parseFields, selectFields } from "./fields.ts";
import { makeEtag } from "./resource.ts";
import type { ApiRequest } from "./video-request.ts";

/** Answers with what a handler gave: trimmed by `fields`, empty when the client has it already. */
export function toReply(
  content: object | undefined,
  { verb, search, headers }: Pick<ApiRequest, "verb" | "search" | "headers">,
): Response {
  if (content === undefined) return new Response(null, { status: 204 });
  if (content instanceof Uint8Array) {
    const type = "application/octet-stream";
    return new Response(Uint8Array.from(content), { headers: { "Content-Type": type } });
  }
  const etag = "etag" in content ? String(content.etag) : makeEtag(content);
  if (verb === "GET" && hasEtag(headers["if-none-match"], etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag } });
  }
  const selection = parseFields(search.get("fields"));
  return toJson(200, selectFields(content, selection), { ETag: etag });
}

export function toFailure(error: unknown): Response {
  if (error instanceof ApiError) return toJson(error.status, error.body());
  const message = `Internal error encountered: ${error}`;
  const errors = [{ message, reason: "internalError" }];
  return toJson(500, { error: { code: 500, message, errors } });
}

/** Whether a condition's list names the etag; quotes are optional. */
export function hasEtag(condition: string | undefined, etag: string): boolean {
  const named = condition?.split(",").map((entry) => entry.trim().replace(/^W\/|"/g, ""));
  return named?.some((entry) => entry === "*" || entry === etag) === true;
}

function toJson(status: number, content: unknown, headers: Record<string, string> = {}): Response {
  const type = "application/json; charset=UTF-8";
  return Response.json(content, { status, headers: { "Content-Type": type, ...headers } });
}

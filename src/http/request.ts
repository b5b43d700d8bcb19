import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { LostError, requireOwned } from "../ownership.ts";
import { composeMiddleware, type Middleware, prepareRequest } from "./middleware.ts";
import { repeatAttempts } from "./repeat.ts";
import { AttemptError, sendWhole } from "./send.ts";
import type { Http, HttpAnswer, HttpTools } from "./types.ts";

type WholeMiddleware = Middleware<HttpAnswer>;

/** What a request goes through on its way out, and its answer on its way back. */
export function createRequest(tools: HttpTools): Http["request"] {
  const send = composeMiddleware(
    [
      repeatAttempts<HttpAnswer>(tools, {
        reasonFor: (answer, { retryReason }) =>
          retryReason ? retryReason(answer) : answer.status === 429 ? "throttled" : undefined,
      }),
      (request, next) => (request.around ? request.around(() => next(request)) : next(request)),
      checkOwner,
      decompress,
    ],
    (request) => sendWhole(tools, request),
  );
  return async (request) => {
    const outgoing = prepareRequest(request);
    const answer = await send(outgoing);
    const { sent, unreached, maybeDone } = outgoing.progress;
    const response = { ...answer, attempts: sent, ...(unreached > 0 && { unreached }) };
    return maybeDone ? { ...response, maybeDone } : response;
  };
}

/** No write follows work that was lost. Where the store failed, which says whose it is, another attempt may ask it. */
const checkOwner: WholeMiddleware = async (request, next) => {
  if (request.method === "GET") return next(request);
  const beginBy = await requireOwned().catch((error: unknown) => {
    if (!(error instanceof LostError))
      throw new AttemptError(request, { isSent: false, cause: error });
    throw new LostError(error.message, { attempts: request.progress.sent });
  });
  return next({ ...request, beginBy });
};

const decompressors = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/**
 * We never ask for compression, but a server may compress unless the request forbids it:
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3. undici's own interceptor is experimental, and warns of that on
 * standard error.
 */
const decompress: WholeMiddleware = async (request, next) => {
  const answer = await next(request);
  const { "content-encoding": coding = "", ...headers } = answer.headers;
  const unpack = decompressors.get(coding.trim().toLowerCase());
  if (unpack === undefined || answer.body.byteLength === 0) return answer;
  try {
    const body = await unpack(answer.body, { maxOutputLength: request.maxBytes });
    return { ...answer, headers, body };
  } catch (cause) {
    const isTooLarge = Object(cause).code === "ERR_BUFFER_TOO_LARGE";
    const code = isTooLarge ? "answer_too_large" : "cut";
    throw new AttemptError(request, { code, isSent: true, cause });
  }
};

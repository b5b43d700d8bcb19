import { z } from "zod";
import { ConnectError, NetworkError, ServiceError } from "../errors.ts";
import type { Http, HttpRequest, HttpResponse } from "../http/index.ts";
import { readPictureHead, zipFiles } from "../images/index.ts";
import { isWebPage, plainWords, serviceWords } from "../service-words.ts";
import type { KeyAllowance } from "./allowance.ts";
import { parseBackgroundBody } from "./answers.ts";
import { checkRequest } from "./check-request.ts";
import { probePublic } from "./failure.ts";
import type { PictureFile } from "./request-picture.ts";
import type { BackgroundClient, Removal, RemoveBackgroundRequest, RemoveOptions } from "./types.ts";

export interface RembgClientOptions {
  /** Where `rembg s` listens, like `http://127.0.0.1:7000`. */
  readonly baseUrl: string;
  readonly http: Http;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Shared by all clients of this address: its callers take turns. */
  readonly allowance: KeyAllowance;
  readonly tenant?: string;
  readonly person?: string;
  /** Most bytes of a picture. */
  readonly maxBytes: number;
  /** As in `HttpRequest`. */
  readonly reach?: HttpRequest["reach"];
  /** Makes a JPEG of a picture, with the same pixels. */
  readonly toJpeg: (picture: Uint8Array, signal?: AbortSignal) => Promise<Uint8Array>;
}

/** On a processor without a graphics card a large model takes half a minute, and the first call loads it. */
const callMs = 180_000;
/** Discord accepts no answer after 15 minutes. */
const waitMs = 10 * 60_000;
const probeMs = 10_000;
/** A grey PNG of 50 megapixels in the worst case. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * A client for rembg's HTTP server (docs/services/rembg.md#request). It asks for the mask, and packs it with the picture that was
 * sent into a ZIP as remove.bg's, so that everything which is made of a cut-out works alike. There are no keys and no credits.
 */
export function createRembgClient(options: RembgClientOptions): BackgroundClient {
  const { allowance } = options;
  const refuse = async (): Promise<never> => {
    throw new ConnectError("rembg has neither an account nor training", {
      code: "engine_without",
    });
  };
  return {
    removeBackground: (request, how = {}) => removeWithRembg(options, request, how),
    probe: (how = {}) => probePublic(options.baseUrl, probeRembg(options, how)),
    account: refuse,
    improve: refuse,
    rateLimit: allowance.rateLimits.last,
  };
}

async function removeWithRembg(
  options: RembgClientOptions,
  request: RemoveBackgroundRequest,
  { signal, onQueued, onSend }: RemoveOptions,
): Promise<Removal> {
  const { now, allowance, tenant, person, maxBytes, toJpeg } = options;
  const { source, megapixels } = checkRequest(request, { body: "multipart", maxBytes });
  if ("url" in source) {
    // It would fetch any address that its own network reaches.
    throw new ConnectError("rembg gets no addresses", { code: "engine_without" });
  }
  const { bytes, extension } = source;
  const deadlineAt = now() + waitMs;
  const turn = await allowance.pacer.admit({
    megapixels,
    tenant,
    person,
    signal,
    onQueued,
    deadlineAt,
  });
  try {
    await onSend?.();
    const response = await requestMask(options, source, signal);
    const mask = readMask(response, source.size);
    const common = {
      width: mask.width,
      height: mask.height,
      foreground: undefined,
      type: undefined,
      creditsCharged: undefined,
      rateLimit: undefined,
      notices: [],
    };
    if (request.channels === "alpha") return { ...common, image: mask.bytes, format: "png" };
    const color = extension === "jpg" ? bytes : await toJpeg(bytes, signal);
    const image = await zipFiles([
      { name: "color.jpg", data: color },
      { name: "alpha.png", data: mask.bytes },
    ]);
    return { ...common, image, format: "zip" };
  } finally {
    turn.end();
  }
}

/** @throws ServiceError `engine_failed` */
function requestMask(
  { baseUrl, http, reach }: RembgClientOptions,
  { bytes, mediaType: type, extension }: PictureFile,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  return sendToRembg(() =>
    http.request({
      method: "POST",
      url: `${baseUrl}/api/remove`,
      headers: { accept: "image/png" },
      body: [
        ["file", { name: `image.${extension}`, type, bytes }],
        ["om", "true"],
      ],
      retry: "set",
      // A retry would repeat the same work, and most failures are caused by the picture.
      tries: 1,
      deadlineMs: callMs,
      silenceMs: callMs,
      maxBytes: maxAnswerBytes,
      reach,
      ...(signal && { signal }),
    }),
  );
}

/** @throws ServiceError `engine_failed` for what is no PNG, or one of another size than the picture */
function readMask(
  { headers, body }: HttpResponse,
  sent: { readonly width: number; readonly height: number } | undefined,
) {
  const { extension, size } = readPictureHead(body) ?? {};
  const isSame =
    size !== undefined &&
    (sent === undefined || (size.width === sent.width && size.height === sent.height));
  if (extension === "png" && isSame) return { bytes: body, ...size };
  const type = (headers["content-type"] ?? "").slice(0, 80);
  throw failed("answer", `an answer of type ${type} that is no mask of the picture`);
}

const description = z.object({ paths: z.record(z.string(), z.unknown()) });

const probeReasons: Readonly<Record<string, FailureReason>> = {
  status: "other",
  answer: "other",
  too_large: "other",
  timeout: "unreachable",
};

/** Whether it is rembg: its description of itself names the path. @throws ServiceError `engine_failed` */
async function probeRembg(
  { baseUrl, http, reach }: RembgClientOptions,
  { signal }: { readonly signal?: AbortSignal },
): Promise<void> {
  const { body } = await sendToRembg(() =>
    http.request({
      method: "GET",
      url: `${baseUrl}/openapi.json`,
      headers: { accept: "application/json" },
      retry: "read",
      tries: 2,
      deadlineMs: probeMs,
      reach,
      ...(signal && { signal }),
    }),
  ).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    // The words about these speak of a picture, and none was sent.
    const reason = probeReasons[`${error.facts.reason}`];
    throw reason === undefined ? error : failed(reason, error.message, { cause: error });
  });
  const { data } = description.safeParse(parseBackgroundBody(body));
  if (data?.paths["/api/remove"] === undefined)
    throw failed("other", "it does not look like rembg");
}

type FailureReason =
  | "unreachable"
  | "timeout"
  | "cut"
  | "too_large"
  | "answer"
  | "status"
  | "other";

function failed(
  reason: FailureReason,
  message: string,
  { answer = "none", cause }: { readonly answer?: string; readonly cause?: unknown } = {},
): ServiceError {
  return new ServiceError(`rembg: ${message}`, {
    code: "engine_failed",
    // Nothing was changed or charged.
    outcome: "nothing",
    facts: { reason, answer, isFree: true },
    cause,
  });
}

const networkReasons: Readonly<Record<string, FailureReason>> = {
  unreachable: "unreachable",
  timeout: "timeout",
  answer_too_large: "answer",
};

/** What proxies answer while the rembg behind them is down. */
const awayStatuses: readonly number[] = [502, 503, 504];

/** rembg never answers its own paths like this, so another service is at this address, and another picture won't help. */
function isElsewhere(status: number): boolean {
  return (status >= 300 && status < 400) || status === 404 || status === 405;
}

/** Resolves with a success. A redirect is none: it may lead anywhere. @throws ServiceError `engine_failed` */
async function sendToRembg(send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await send().catch((error: unknown) => {
    if (!(error instanceof NetworkError)) throw error;
    throw failed(networkReasons[error.code] ?? "cut", error.message, { cause: error });
  });
  const { status, body } = response;
  if (status === 200) return response;
  if (awayStatuses.includes(status)) throw failed("unreachable", `answered ${status}`);
  if (isElsewhere(status)) throw failed("other", `answered ${status}`);
  if (status === 413) throw failed("too_large", "answered 413");
  const answer = isWebPage(response) ? undefined : serviceWords({ title: plainWords(body) }, []);
  throw failed("status", `answered ${status}`, { answer: answer ?? `HTTP ${status}` });
}

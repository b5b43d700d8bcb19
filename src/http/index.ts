/** The only way out of the process. `close` ends its connections. */
export { createHttp, type HttpOptions } from "./create-http.ts";
export { leadsToPrivateHost } from "./public-addresses.ts";
/** Waits: what a Retry-After header asks for, and what a paid call makes of it. */
export { retryAfterMs, throttleWaitMs } from "./retry.ts";
export type {
  AnswerRetryReason,
  DownloadRequest,
  FormFile,
  Http,
  HttpAnswer,
  HttpBackOffOptions,
  HttpRequest,
  HttpResponse,
  MultipartForm,
  OpenFile,
  PublicFileRequest,
  RetryClass,
} from "./types.ts";

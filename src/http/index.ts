/** The only way out of the process. `close` ends its connections. */
export { createHttp, type HttpOptions } from "./create-http.ts";
/** The wait that a Retry-After header asks for. */
export { retryAfterMs } from "./retry.ts";
export type {
  AnswerMiss,
  DownloadRequest,
  FormFile,
  Http,
  HttpBackOffOptions,
  HttpRequest,
  HttpResponse,
  MultipartForm,
  OpenFile,
  RetryClass,
} from "./types.ts";

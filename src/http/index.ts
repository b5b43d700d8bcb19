/** Builds the one way out of the process; `close` ends its connections. */
export { createHttp, type HttpOptions } from "./create-http.ts";
/** What a Retry-After header asks for. */
export { retryAfterMs } from "./retry-after.ts";
export type {
  BackOff,
  DownloadRequest,
  Form,
  FormFile,
  Http,
  HttpRequest,
  HttpResponse,
  OpenFile,
  RetryClass,
} from "./types.ts";

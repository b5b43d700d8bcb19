/** Builds the one way out of the process; `close` ends its connections. */
export { createHttp, type HttpOptions } from "./create-http.ts";
export type {
  DownloadRequest,
  Http,
  HttpRequest,
  HttpResponse,
  RetryClass,
} from "./types.ts";

/** Builds a client for one set of credentials; `warmVideoClient` spares its first call some 50 ms. */
export {
  createVideoClient,
  type VideoClientOptions,
  warmVideoClient,
} from "./create-video-client.ts";
/** The table: one row of facts a method. */
export { methods } from "./methods/index.ts";
/** What a row says of a method, its parameters, its body and its media. */
export type {
  FieldSpec,
  MediaSpec,
  MethodSpec,
  ParamSpec,
} from "./methods/spec.ts";
/** Whether a call with these parameters is refused without somebody's consent. */
export { needsToken } from "./needs-token.ts";
/** Resources as the service sends them, open for fields and values that come later. */
export type * from "./resources/index.ts";
/** Rules of the service that take more than one call. */
export * from "./rules/index.ts";
/** Which of the sizes of a picture to show. */
export {
  largeThumbnail,
  type NamedThumbnail,
  smallThumbnail,
  thumbnailsOf,
} from "./thumbnails.ts";
/** What calls take and answer, derived from the table. */
export type {
  CallOptions,
  Download,
  Media,
  Method,
  PagedMethod,
  PagesOptions,
  Params,
  Result,
  VideoClient,
} from "./types.ts";

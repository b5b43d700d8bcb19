import type { Readable } from "node:stream";
import type { BodyOf } from "./body-of.ts";
import type { commonParams } from "./methods/common-params.ts";
import type { methods } from "./methods/index.ts";
import type { BodySpec, MethodSpec, ParamSpec } from "./methods/spec.ts";
import type { Page, Resources } from "./resources/index.ts";

/** Name of a method, like `videos.list`. */
export type Method = keyof typeof methods;

type Row<M extends Method> = (typeof methods)[M];

type One<P extends ParamSpec> = P extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : P["type"] extends "integer"
    ? number
    : P["type"] extends "boolean"
      ? boolean
      : P["type"] extends "datetime"
        ? Date | string
        : string;

type Value<P extends ParamSpec> = P extends { readonly repeated: true }
  ? readonly One<P>[]
  : One<P>;

type RequiredName<Q> = {
  [Name in keyof Q]: Q[Name] extends { readonly required: true } ? Name : never;
}[keyof Q];

type Query<Q extends MethodSpec["query"]> = {
  readonly [Name in RequiredName<Q>]: Value<Q[Name]>;
} & {
  readonly [Name in Exclude<keyof Q, RequiredName<Q>>]?: Value<Q[Name]> | undefined;
};

type Resource<Name> = Name extends keyof Resources ? Resources[Name] : never;

/** `Given` when the call makes no sense without it. */
type Unless<Optional, Given> = Optional extends { readonly optional: true }
  ? { readonly [Name in keyof Given]?: Given[Name] | undefined }
  : Given;

type Body<R> = R extends { readonly body: infer B extends BodySpec }
  ? Unless<B, { readonly body: BodyOf<B["fields"]> }>
  : unknown;

type Up<R> = R extends { readonly media: infer M extends { readonly direction: "up" } }
  ? Unless<M, { readonly media: Media }>
  : unknown;

/** What a method takes: its query parameters by their names, `body` and `media` when it has them. */
export type Params<M extends Method> = Query<Row<M>["query"]> &
  Query<typeof commonParams> &
  Body<Row<M>> &
  Up<Row<M>>;

type ResultOf<R> = R extends {
  readonly result: { readonly kind: infer Kind; readonly resource: infer Name };
}
  ? Kind extends "list"
    ? Page<Resource<Name>>
    : Resource<Name>
  : R extends { readonly media: { readonly direction: "down" } }
    ? Download
    : undefined;

/** What a method answers: a page, a resource, a file, or nothing. */
export type Result<M extends Method> = ResultOf<Row<M>>;

/** What is uploaded. Its length must be known: `bytes` is needed with a stream. */
export interface Media {
  readonly data: Uint8Array | Readable | Blob;
  /** Media type, like `image/png`. */
  readonly type: string;
  readonly bytes?: number;
}

/** What a download answers. */
export interface Download {
  readonly data: Uint8Array;
  /** Media type. */
  readonly type: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Told when more of an upload has arrived at the service. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

export interface PagesOptions {
  readonly signal?: AbortSignal;
  /** Pages after which the walk ends although the list goes on; 200 when absent. */
  readonly maxPages?: number;
}

/** A list that goes on over pages. */
export type PagedMethod = {
  [M in Method]: Row<M> extends {
    readonly query: { readonly pageToken: ParamSpec };
    readonly result: { readonly kind: "list" };
  }
    ? M
    : never;
}[Method];

/** The typed way to the video platform. */
export interface VideoClient {
  /**
   * Checks the parameters against the row, sends, and answers with the service's JSON; id lists over what one call
   * takes are split and merged.
   * @throws InputError before anything is sent, or for what the service calls a bad request; ConnectError,
   * AccessError, LimitError, ServiceError by the service's reason; NetworkError; the signal's reason.
   */
  call<M extends Method>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;
  /**
   * Walks a list page by page; each page costs a call. It ends where the list does, when a page token comes a second
   * time, and at `maxPages`, where the last page still has its `nextPageToken`.
   * @throws what `call` throws, at the page that fails
   */
  pages<M extends PagedMethod>(
    method: M,
    params: Params<M>,
    options?: PagesOptions,
  ): AsyncIterableIterator<Result<M>>;
}

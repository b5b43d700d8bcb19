import type { Readable } from "node:stream";
import type { methods } from "./methods/index.ts";
import type { commonParams } from "./methods/params.ts";
import type { BodySpec, FieldSpec, MethodSpec, ParamSpec } from "./methods/spec.ts";
import type { LaterValue, ResourceId, ResourcePage, Resources } from "./resources/index.ts";

/** Name of a method, like `videos.list`. */
export type Method = keyof typeof methods;

type SpecOf<M extends Method> = (typeof methods)[M];

/** Name of a method that changes something. */
export type WritingMethod = {
  [M in Method]: SpecOf<M>["effect"] extends "read" ? never : M;
}[Method];

type SingleParam<P extends ParamSpec> = P extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : P["type"] extends "integer"
    ? number
    : P["type"] extends "boolean"
      ? boolean
      : P["type"] extends "datetime"
        ? Date | string
        : string;

type ParamValue<P extends ParamSpec> = P extends { readonly repeated: true }
  ? readonly SingleParam<P>[]
  : SingleParam<P>;

type RequiredParam<Q> = {
  [Name in keyof Q]: Q[Name] extends { readonly required: true } ? Name : never;
}[keyof Q];

type QueryParams<Q extends MethodSpec["query"]> = {
  readonly [Name in RequiredParam<Q>]: ParamValue<Q[Name]>;
} & {
  readonly [Name in Exclude<keyof Q, RequiredParam<Q>>]?: ParamValue<Q[Name]> | undefined;
};

type ResourceNamed<Name> = Name extends keyof Resources ? Resources[Name] : never;

/** `Params`, or the same with every name optional when the spec says that the call makes sense without it. */
type OptionalIf<Spec, Params> = Spec extends { readonly optional: true }
  ? { readonly [Name in keyof Params]?: Params[Name] | undefined }
  : Params;

type BodyParam<R> = R extends { readonly body: infer B extends BodySpec }
  ? OptionalIf<B, { readonly body: BodyOf<B["fields"]> }>
  : unknown;

type MediaParam<R> = R extends { readonly media: infer M extends { readonly direction: "up" } }
  ? OptionalIf<M, { readonly media: UploadMedia }>
  : unknown;

/** What a method takes: its query parameters by their names, `body` and `media` when it has them. */
export type MethodParams<M extends Method> = QueryParams<SpecOf<M>["query"]> &
  QueryParams<typeof commonParams> &
  BodyParam<SpecOf<M>> &
  MediaParam<SpecOf<M>>;

type ResultOf<R> = R extends {
  readonly result: { readonly kind: infer Kind; readonly resource: infer Name };
}
  ? Kind extends "list"
    ? ResourcePage<ResourceNamed<Name>>
    : ResourceNamed<Name>
  : R extends { readonly media: { readonly direction: "down" } }
    ? DownloadedFile
    : undefined;

/** What a method returns: a page, a resource, a file, or nothing. */
export type MethodResult<M extends Method> = ResultOf<SpecOf<M>>;

/** What is uploaded. Its length must be known, so a stream needs `bytes`. */
export interface UploadMedia {
  readonly data: Uint8Array | Readable | Blob;
  /** Media type, like `image/png`. */
  readonly type: string;
  readonly bytes?: number;
}

/** What a download returns. */
export interface DownloadedFile {
  readonly data: Uint8Array;
  /** Media type. */
  readonly type: string;
}

export interface VideoCallOptions {
  readonly signal?: AbortSignal;
  /** Called when more of an upload has arrived at YouTube. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

export interface PagesOptions {
  readonly signal?: AbortSignal;
  /** After so many pages the walk ends although the list goes on; 200 when absent. */
  readonly maxPages?: number;
}

/** Methods that answer a list in pages. */
export type PagedMethod = {
  [M in Method]: SpecOf<M> extends {
    readonly query: { readonly pageToken: ParamSpec };
    readonly result: { readonly kind: "list" };
  }
    ? M
    : never;
}[Method];

/** The typed client of the YouTube Data API. */
export interface VideoClient {
  /**
   * Checks the parameters against the table, sends, and returns YouTube's JSON. Lists of ids that are too long
   * for one call are split, and the answers merged.
   * @throws InputError before anything is sent, or for what YouTube calls a bad request; ConnectError,
   * AccessError, LimitError, ServiceError by YouTube's reason; NetworkError; the signal's reason.
   */
  call<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: VideoCallOptions,
  ): Promise<MethodResult<M>>;
  /**
   * Walks a list page by page; each page costs a call. It ends where the list does, when a page token comes a second
   * time, and at `maxPages`, where the last page still has its `nextPageToken`.
   * @throws what `call` throws, at the page that fails
   */
  pages<M extends PagedMethod>(
    method: M,
    params: MethodParams<M>,
    options?: PagesOptions,
  ): AsyncIterableIterator<MethodResult<M>>;
}

type FieldSpecs = Readonly<Record<string, FieldSpec>>;

interface FieldValues {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly datetime: Date | string;
  readonly strings: readonly string[];
  /** Decimal digits. */
  readonly uint64: string;
  readonly resourceId: ResourceId;
  readonly object: Readonly<Record<string, unknown>>;
}

/** A resource that was read and is written back may hold a value that is newer than this table. */
type FieldValue<Spec extends FieldSpec> = Spec extends { readonly enum: readonly (infer Choice)[] }
  ? Choice | LaterValue
  : FieldValues[Spec["type"]];

type FirstName<Place> = Place extends `${infer First}.${string}` ? First : Place;

type FieldsBelow<F extends FieldSpecs, First extends string> = {
  [Place in keyof F as Place extends `${First}.${infer Rest}` ? Rest : never]: F[Place];
};

type RequiredFirst<F extends FieldSpecs> = {
  [Place in keyof F]: F[Place] extends { readonly required: true } ? FirstName<Place> : never;
}[keyof F];

type FieldAt<F extends FieldSpecs, First extends string> = First extends keyof F
  ? FieldValue<F[First]>
  : BodyOf<FieldsBelow<F, First>>;

type BodyMembers<F extends FieldSpecs> = {
  readonly [First in RequiredFirst<F> & string]: FieldAt<F, First>;
} & {
  readonly [First in Exclude<FirstName<keyof F>, RequiredFirst<F>> & string]?:
    | FieldAt<F, First>
    | undefined;
};

/** The body that the fields of a method make together, nested by their paths; `*` is any key. */
type BodyOf<F extends FieldSpecs> =
  "*" extends FirstName<keyof F>
    ? Readonly<Record<string, BodyOf<FieldsBelow<F, "*">>>>
    : { [Name in keyof BodyMembers<F>]: BodyMembers<F>[Name] };

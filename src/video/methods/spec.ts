import type { RetryClass } from "../../http/index.ts";

/** One query parameter, by its name in the API. */
export interface ParamSpec {
  readonly type: "string" | "integer" | "boolean" | "datetime";
  readonly about: string;
  readonly required?: true;
  /** Sent as one comma list; `maxItems` is what one call takes. */
  readonly repeated?: true;
  readonly maxItems?: number;
  /** Values that a caller may send, without placeholder values of the API. */
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Of the text, in Unicode characters. */
  readonly maxChars?: number;
  readonly default?: string | number | boolean;
  /** YouTube still takes it; never offered to people. */
  readonly deprecated?: true;
  /** Other parameters that must be given with it: this value, or any when `true`. */
  readonly needs?: Readonly<Record<string, string | true>>;
  /** Parameters that exclude it. */
  readonly notWith?: readonly string[];
  /** Refused without a token: always, or only with these values. */
  readonly needsToken?: true | readonly string[];
  /** For content owners alone, whose accounts can't be linked: never offered to people. */
  readonly forContentOwners?: true;
}

/** One field of a JSON body, by its path: `snippet.title`, `localizations.*.title`. */
export interface FieldSpec {
  /** `strings` is an array; `uint64` travels as a decimal string; `resourceId` is `{ kind, videoId … }`. */
  readonly type:
    | "string"
    | "integer"
    | "boolean"
    | "datetime"
    | "strings"
    | "uint64"
    | "resourceId"
    | "object";
  readonly about: string;
  /** Always, or only when `part` names the field's part. */
  readonly required?: true | "with-part";
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Of the text, in Unicode characters. */
  readonly maxChars?: number;
  /** Of the text, in UTF-8. */
  readonly maxBytes?: number;
  /** Characters that YouTube refuses. */
  readonly forbids?: string;
  /** The most characters of a list of texts together, counted as YouTube counts tags. */
  readonly maxTagChars?: number;
  /** An empty value is allowed although the field is required. */
  readonly mayBeEmpty?: true;
  /** Other fields of the body that must have this value when it is given. */
  readonly needs?: Readonly<Record<string, string>>;
}

export interface BodySpec {
  /** Name of the resource in the body. */
  readonly resource: string;
  /** The call makes sense without it too. */
  readonly optional?: true;
  /** The fields that a caller may set. */
  readonly fields: Readonly<Record<string, FieldSpec>>;
}

/** Media that is uploaded with the call, or downloaded as its answer. */
export type MediaSpec =
  | { readonly direction: "down" }
  | {
      readonly direction: "up";
      readonly maxBytes: number;
      /** Media types, like `image/png` or `video/*`. */
      readonly accept: readonly string[];
      /** How small files are sent; files over one chunk always use the resumable protocol. */
      readonly protocol: "simple" | "multipart" | "resumable";
      /** The call makes sense without it too. */
      readonly optional?: true;
    };

/** How to find what a create made whose answer was lost, before it is repeated. */
export interface LookupSpec {
  /** The list method that would show it. */
  readonly method: string;
  /** Fixed parameters of that method. */
  readonly params: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Parameters of that method that are copied from the body, by the path of the field. */
  readonly from?: Readonly<Record<string, string>>;
  /** Paths whose values are equal in what was sent and in what is listed. */
  readonly same: readonly string[];
  /** Path of the creation time in what is listed; absent when two equal ones can't exist. */
  readonly madeAt?: string;
}

/** What there is to know about one method of the YouTube Data API. */
export interface MethodSpec {
  /** HTTP verb. */
  readonly verb: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base address; `{id}` is filled from the query parameter of that name. */
  readonly path: string;
  /** What it does, in words for people. */
  readonly title: string;
  /** Which credential it takes; `token` means refused without one. */
  readonly auth: "key" | "key-or-token" | "token";
  /** OAuth scopes, any of which will do, without their address prefix. */
  readonly scopes: readonly string[];
  /** Daily budget that it is charged to: docs/services/youtube.md#quota */
  readonly bucket: "units" | "searches" | "uploads";
  /** Units of that bucket one call costs. */
  readonly cost: number;
  /** What it does to the channel; guards and confirmations go by it. */
  readonly effect: "read" | "write" | "destroy";
  /** After which failures it may be repeated. */
  readonly retry: RetryClass;
  /** Query parameters. */
  readonly query: Readonly<Record<string, ParamSpec>>;
  /** Parameters of which exactly one, or at most one, may be given. */
  readonly filters?: {
    readonly exactlyOne?: readonly string[];
    readonly atMostOne?: readonly string[];
  };
  /** The JSON body, absent when there is none. */
  readonly body?: BodySpec;
  /** The list method that reads what this update replaces; `updateResource` merges with it. */
  readonly reads?: string;
  /** Set for creates whose result can be found in a list. */
  readonly lookup?: LookupSpec;
  /** What a successful call returns: a list of a resource, or one; absent when it is empty or media. */
  readonly result?: { readonly kind: "list" | "one"; readonly resource: string };
  /** The media to upload or download, absent when there is none. */
  readonly media?: MediaSpec;
}

/** Parameters of a call by their names, with `body` and `media`, before they are checked. */
export type CallParams = Readonly<Record<string, unknown>>;

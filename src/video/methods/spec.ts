import type { RetryClass } from "../../http/index.ts";

/** One query parameter, by its name in the API. */
export interface ParamSpec {
  readonly type: "string" | "integer" | "boolean" | "datetime";
  readonly about: string;
  readonly required?: true;
  /** Sent as one comma list; `maxItems` is what one call takes. */
  readonly repeated?: true;
  readonly maxItems?: number;
  /** Values a caller may send; placeholders of the wire are left out. */
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Of the text, in Unicode characters. */
  readonly maxChars?: number;
  readonly default?: string | number | boolean;
  /** Accepted by the service and never offered to people. */
  readonly deprecated?: true;
  /** Other parameters that must be given with it: this value, or any when `true`. */
  readonly needs?: Readonly<Record<string, string | true>>;
  /** Parameters that it can't be given with. */
  readonly notWith?: readonly string[];
  /** Refused without a token: always, or only with these values. */
  readonly needsToken?: true | readonly string[];
  /** Refused for everybody but content owners, whose accounts can't be linked: never offered to people. */
  readonly forContentOwners?: true;
}

/** One field of a JSON body, by its place: `snippet.title`, `localizations.*.title`. */
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
  /** Of the text in UTF-8. */
  readonly maxBytes?: number;
  /** Characters that the service refuses. */
  readonly forbids?: string;
  /** Given and empty is a value too, though it is required. */
  readonly mayBeEmpty?: true;
  /** Other fields of the body that must have this value beside it. */
  readonly needs?: Readonly<Record<string, string>>;
}

export interface BodySpec {
  /** Name of the resource that the body is. */
  readonly resource: string;
  /** The call makes sense without it too. */
  readonly optional?: true;
  /** What a caller may set. */
  readonly fields: Readonly<Record<string, FieldSpec>>;
}

/** Media that travels up with the call, or comes down as its answer. */
export type MediaSpec =
  | { readonly direction: "down" }
  | {
      readonly direction: "up";
      readonly maxBytes: number;
      /** Media types, like `image/png` or `video/*`. */
      readonly accept: readonly string[];
      /** How small files travel; over one chunk every upload is resumable. */
      readonly protocol: "simple" | "multipart" | "resumable";
      /** The call makes sense without it too. */
      readonly optional?: true;
    };

/** How a create whose answer was lost is looked for before it is repeated. */
export interface LookupSpec {
  /** The list method that would show it. */
  readonly method: string;
  /** Its fixed parameters. */
  readonly params: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Its parameters that are copied from the body, by the field's place. */
  readonly from?: Readonly<Record<string, string>>;
  /** Places that are equal in what was sent and in what is listed. */
  readonly same: readonly string[];
  /** Place of the time at which it was made, in what is listed; absent when equal ones can't exist twice. */
  readonly madeAt?: string;
}

/** Facts of one method of the video platform data service. */
export interface MethodSpec {
  /** HTTP verb. */
  readonly verb: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base address; `{id}` is filled from the query parameter of that name. */
  readonly path: string;
  /** What it does, in people's words. */
  readonly title: string;
  /** Which credential it takes; `token` means refused without one. */
  readonly auth: "key" | "key-or-token" | "token";
  /** OAuth scopes, any of which will do, without their address prefix. */
  readonly scopes: readonly string[];
  /** Daily budget it is charged to (facts: quota buckets). */
  readonly bucket: "units" | "searches" | "uploads";
  /** Units of that bucket one call costs. */
  readonly cost: number;
  /** What it does to the channel; guards and confirmations go by it. */
  readonly effect: "read" | "write" | "destroy";
  /** What may be repeated after which failure. */
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
  readonly lookup?: LookupSpec;
  /** What a success answers: a list of a resource, or one; absent when it is empty or media. */
  readonly result?: { readonly kind: "list" | "one"; readonly resource: string };
  readonly media?: MediaSpec;
}

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
  readonly default?: string | number | boolean;
  /** Accepted by the service and never offered to people. */
  readonly deprecated?: true;
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
  /** Name of the resource that the JSON body is, absent when there is none. */
  readonly body?: string;
  /** What a success answers: a list of a resource, or one; absent when it is empty or media. */
  readonly result?: { readonly kind: "list" | "one"; readonly resource: string };
  /** Media that travels up with the call or comes down as its answer. */
  readonly media?: {
    readonly direction: "up" | "down";
    readonly maxBytes?: number;
    readonly accept?: readonly string[];
  };
}

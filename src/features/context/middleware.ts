import {
  type Method,
  type PagesOptions,
  type ResourcePage,
  type VideoCallOptions,
  type VideoClient,
  walkPages,
} from "../../video/index.ts";

export type LooseParams = Readonly<Record<string, unknown>>;

/** A call on its way to YouTube, for code that works by the method's spec and not by its types. */
export interface VideoCall {
  readonly method: Method;
  readonly params: LooseParams;
  readonly options?: VideoCallOptions;
  /** Where a list is walked to its end: whether this is its first page. */
  readonly page?: "first" | "later";
}

export type SendCall = (call: VideoCall) => Promise<unknown>;

/** Changes a call, its answer or its failure; `next` sends it on. */
export type Middleware = (call: VideoCall, next: SendCall) => Promise<unknown>;

/** Sends calls through each of these, in their order, and then with `send`. */
export function compose(middleware: readonly Middleware[], send: SendCall): SendCall {
  return middleware.reduceRight<SendCall>((next, one) => (call) => one(call, next), send);
}

export function sendWith(client: VideoClient): SendCall {
  // The client checks parameters against the method's spec all the same.
  return ({ method, params, options }) => client.call(method, params as never, options);
}

/** The client whose calls are sent so. */
export function clientThatSends(send: SendCall): VideoClient {
  function call(method: Method, params: LooseParams, options?: VideoCallOptions) {
    return send({ method, params, ...(options && { options }) });
  }
  function pages(method: Method, params: LooseParams, { maxPages, signal }: PagesOptions = {}) {
    let page: "first" | "later" = "first";
    const options = signal && { signal };
    return walkPages(
      params,
      (params: LooseParams) => {
        // What comes from the cache does not look at the signal.
        signal?.throwIfAborted();
        const answer = send({ method, params, page, ...(options && { options }) });
        page = "later";
        return answer as Promise<ResourcePage<unknown>>;
      },
      maxPages,
    );
  }
  // Middleware returns what the method does, or less of it. TypeScript can't derive the overloads from functions for any method.
  return { call, pages } as unknown as VideoClient;
}

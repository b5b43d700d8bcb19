import type { Method, VideoClient } from "../../video/index.ts";

type LooseParams = Readonly<Record<string, unknown>>;

/** A client without types per method, for code between a handler and the service that works by the method's spec. */
export interface LooseClient<Answer = unknown> {
  call(method: Method, params: LooseParams, options?: object): Promise<Answer>;
  pages(method: Method, params: LooseParams, options?: object): AsyncIterable<Answer>;
}

export function loosenClient<Answer = unknown>(client: VideoClient): LooseClient<Answer> {
  return client as unknown as LooseClient<Answer>;
}

/** Gives a wrapped client its types back: it returns what the client behind it would, or less of it. */
export function strictClient(client: LooseClient): VideoClient {
  return client as unknown as VideoClient;
}

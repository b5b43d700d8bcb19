import type { Method, VideoClient } from "../../video/index.ts";

type LooseParams = Readonly<Record<string, unknown>>;

/** A client for whoever stands between a handler and the service: it goes by the row, whose types can't be followed there. */
export interface LooseClient<Answer = unknown> {
  call(method: Method, params: LooseParams, options?: object): Promise<Answer>;
  pages(method: Method, params: LooseParams, options?: object): AsyncIterable<Answer>;
}

export function loosened<Answer = unknown>(client: VideoClient): LooseClient<Answer> {
  return client as unknown as LooseClient<Answer>;
}

/** For clients that answer what the one behind them would, or less of it: so the methods keep their types. */
export function strict(client: LooseClient): VideoClient {
  return client as unknown as VideoClient;
}

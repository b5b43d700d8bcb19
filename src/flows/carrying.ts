import type { Extra } from "../discord/index.ts";
import { type Method, type MethodSpec, methods, type VideoClient } from "../video/index.ts";

type Loose = (method: Method, params: object, options?: object) => Promise<unknown>;

/**
 * A client whose calls carry the parameters of `extra` that their rows know, for rules that make several calls. Parts
 * are not among them: of a write they follow from what is written, and one without content would be erased.
 */
export function carrying(
  client: VideoClient,
  { query: { part: _, ...query } }: Extra,
): VideoClient {
  if (Object.keys(query).length === 0) return client;
  const send = client.call.bind(client) as Loose;
  const call: Loose = (method, params, options) => {
    const row: MethodSpec = methods[method];
    const known = Object.entries(query).filter(([name]) => name in row.query);
    return send(method, { ...Object.fromEntries(known), ...params }, options);
  };
  // Only what the row knows is added, so that every method keeps its types.
  return { call: call as VideoClient["call"], pages: (...given) => client.pages(...given) };
}

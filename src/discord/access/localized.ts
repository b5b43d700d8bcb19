import { type Method, type MethodSpec, methods, type VideoClient } from "../../video/index.ts";
import { loosened, strict } from "../declare/loose-client.ts";

/** What the service's texts follow. */
export interface Local {
  /** Of the person. */
  readonly hl: string;
  /** Of the guild: ISO 3166-1 alpha-2. */
  readonly region: string | undefined;
}

/** Lists whose entries depend on a country, and when they take one. */
const regional: Readonly<Partial<Record<Method, (params: Params) => boolean>>> = {
  "search.list": () => true,
  "videos.list": ({ chart }) => chart !== undefined,
  "videoCategories.list": ({ id }) => id === undefined,
};

type Params = Readonly<Record<string, unknown>>;

/** A client for reading whose answers come in the person's language and for the guild's country, unless asked otherwise. */
export function localized(client: VideoClient, local: Local): VideoClient {
  const loose = loosened(client);
  const filled = (method: Method, params: Params) => ({
    ...defaultsFor(method, params, local),
    ...Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
  });
  return strict({
    call: (method, params, options) => loose.call(method, filled(method, params), options),
    pages: (method, params, options) => loose.pages(method, filled(method, params), options),
  });
}

function defaultsFor(method: Method, params: Params, { hl, region }: Local): Params {
  const row: MethodSpec = methods[method];
  const takesRegion = region !== undefined && regional[method]?.(params) === true;
  return {
    ...(row.query.hl !== undefined && !row.query.hl.deprecated && { hl }),
    ...(takesRegion && { regionCode: region }),
  };
}

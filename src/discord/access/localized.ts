import { type Method, type MethodSpec, methods, type VideoClient } from "../../video/index.ts";

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
  const call = client.call.bind(client) as Loose;
  const pages = client.pages.bind(client) as unknown as LooseWalk;
  const filled = (method: Method, params: Params) => ({
    ...defaultsFor(method, params, local),
    ...Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
  });
  // The methods keep their types: only parameters that the row has are added.
  return {
    call: ((method, params, options) =>
      call(method, filled(method, params as Params), options)) as VideoClient["call"],
    pages: ((method, params, options) =>
      pages(method, filled(method, params as Params), options)) as VideoClient["pages"],
  };
}

type LooseWalk = (method: Method, params: object, options?: object) => AsyncIterableIterator<never>;
type Loose = (method: Method, params: object, options?: object) => Promise<unknown>;

function defaultsFor(method: Method, params: Params, { hl, region }: Local): Params {
  const row: MethodSpec = methods[method];
  const takesRegion = region !== undefined && regional[method]?.(params) === true;
  return {
    ...(row.query.hl !== undefined && !row.query.hl.deprecated && { hl }),
    ...(takesRegion && { regionCode: region }),
  };
}

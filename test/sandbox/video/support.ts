import {
  startVideo,
  type VideoOptions,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";

/** A list answer as far as the tests look at it. */
export interface Listed {
  readonly kind: string;
  readonly etag: string;
  readonly nextPageToken?: string;
  readonly prevPageToken?: string;
  readonly pageInfo?: { readonly totalResults: number; readonly resultsPerPage: number };
  readonly items: readonly Resource[];
}

export interface Resource {
  readonly kind: string;
  readonly etag: string;
  readonly id: string;
  readonly snippet: Readonly<Record<string, unknown>> & { readonly title: string };
  readonly contentDetails: Readonly<Record<string, unknown>>;
  readonly statistics: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly liveStreamingDetails: Readonly<Record<string, unknown>>;
}

export interface Failed {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status?: string;
    readonly errors: readonly Readonly<Record<string, string>>[];
  };
}

export const ownerToken = "owner-token";

/** A stand-in where `ownerToken` speaks for its creator, and `upload-token` lacks the reading scopes. */
export async function start(options: VideoOptions = {}): Promise<VideoServer> {
  const server: VideoServer = await startVideo({
    identify: (token) => {
      if (token === ownerToken) return { channelId: server.ownChannelId, scopes: ["youtube"] };
      if (token !== "upload-token") return undefined;
      return { channelId: server.ownChannelId, scopes: ["youtube.upload"] };
    },
    ...options,
  });
  return server;
}

type Query = Readonly<Record<string, string>>;

/** Calls a path with the key, or with a token instead. */
export async function call<T = Listed>(
  server: VideoServer,
  path: string,
  { token, ...query }: Query & { readonly token?: string },
): Promise<{ status: number; body: T }> {
  const search = new URLSearchParams(query as Record<string, string>);
  if (token === undefined && !search.has("key")) search.set("key", server.key);
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}${path}?${search}`, { headers });
  return { status: response.status, body: (await response.json()) as T };
}

/** Status, reason and place of a refusal, as in `400 unknownPart part`; the address holds the query. */
export async function refusal(server: VideoServer, address: string): Promise<string> {
  const url = new URL(server.url + address);
  url.searchParams.set("key", server.key);
  const response = await fetch(url);
  const { error } = (await response.json()) as Failed;
  const { reason, location } = error.errors[0] ?? {};
  return [response.status, reason, location].filter((fact) => fact !== undefined).join(" ");
}

import {
  startVideo,
  type VideoOptions,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import { refused, send } from "./writes.ts";

/** As much of a list's answer as the tests use. */
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

/** A stand-in where `ownerToken` acts as its creator, and `upload-token` lacks the scopes for reading. */
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

/** Requests a path with the key, or with a token instead. */
export async function call<T = Listed>(
  server: VideoServer,
  path: string,
  { token, ...query }: Readonly<Record<string, string>> & { readonly token?: string },
): Promise<{ status: number; body: T }> {
  const { status, body } = await send(server, "GET", path, { query, token });
  return { status, body: body as T };
}

/** Status, reason and location of a failed request, as in `400 unknownPart part`; the address contains the query. */
export async function refusal(server: VideoServer, address: string): Promise<string> {
  return refused(await send(server, "GET", address, { token: undefined })).join(" ");
}

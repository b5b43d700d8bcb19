import {
  startVideo,
  type VideoOptions,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import { type Answer, everyScope, type Loose, type Query, send as request } from "./writes.ts";

export type { Answer, Loose } from "./writes.ts";

/** A stand-in where every channel id is also a token of that channel, with all scopes. */
export function open(options: VideoOptions = {}): Promise<VideoServer> {
  return startVideo({
    identify: (token) =>
      token.startsWith("UC") ? { channelId: token, scopes: everyScope } : undefined,
    ...options,
  });
}

export interface Sending {
  /** The token to send; only the key when absent. */
  readonly as?: string | undefined;
  readonly body?: object;
}

/** Sends `VERB /path` with the query, which may also be part of the path. */
export function send(
  server: VideoServer,
  line: string,
  query: Query = {},
  { as: token, body }: Sending = {},
): Promise<Answer> {
  const [verb = "GET", path = ""] = line.split(" ");
  return request(server, verb, path, { query, token, body });
}

/** The items of a list; throws if the request fails. */
export async function list(
  server: VideoServer,
  path: string,
  query: Query = {},
  sending: Sending = {},
): Promise<Loose[]> {
  const { status, body } = await send(server, `GET ${path}`, query, sending);
  if (status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(body)}`);
  return body.items;
}

/** All items, following the page tokens to the end. */
export async function walk(
  server: VideoServer,
  path: string,
  query: Query = {},
  sending: Sending = {},
): Promise<Loose[]> {
  const items: Loose[] = [];
  for (let pageToken: string | undefined; ; ) {
    const page = { ...query, ...(pageToken !== undefined && { pageToken }) };
    const { status, body } = await send(server, `GET ${path}`, page, sending);
    if (status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(body)}`);
    items.push(...body.items);
    pageToken = body.nextPageToken;
    if (pageToken === undefined) return items;
  }
}

/** Status and reason of a failed request, as in `403 forbidden`. */
export function refusalOf({ status, body }: Pick<Answer, "status" | "body">): string {
  return `${status} ${body.error?.errors[0]?.reason}`;
}

import {
  startVideo,
  type VideoOptions,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import { methods } from "../../../src/video/index.ts";

/** Of a token that may do everything. */
export const everyScope: readonly string[] = [
  ...new Set(Object.values(methods).flatMap((row): readonly string[] => row.scopes)),
];

/** A stand-in where every channel id is a token that speaks for that channel and may do everything. */
export function open(options: VideoOptions = {}): Promise<VideoServer> {
  return startVideo({
    identify: (token) =>
      token.startsWith("UC") ? { channelId: token, scopes: everyScope } : undefined,
    ...options,
  });
}

/** Whatever an answer holds: the tests look at the places that they are about. */
// biome-ignore lint/suspicious/noExplicitAny: an open resource, compared by value right away
export type Loose = Record<string, any>;

export interface Answer {
  readonly status: number;
  readonly body: Loose;
}

type Query = Readonly<Record<string, string | number | boolean>>;

export interface Sending {
  /** Whose token goes along; the key alone when absent. */
  readonly as?: string | undefined;
  readonly body?: object;
}

/** Sends `VERB /path` with the query, which may stand in the path too. */
export async function send(
  server: VideoServer,
  line: string,
  query: Query = {},
  { as, body }: Sending = {},
): Promise<Answer> {
  const [verb = "GET", path = ""] = line.split(" ");
  const url = new URL(server.url + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  if (as === undefined) url.searchParams.set("key", server.key);
  const response = await fetch(url, {
    method: verb,
    headers: {
      ...(as !== undefined && { Authorization: `Bearer ${as}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Loose) };
}

/** Items of a list that must be answered. */
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

/** Walks the tokens to the end. */
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

/** Status and reason of a refusal, as in `403 forbidden`. */
export function refusalOf({ status, body }: Answer): string {
  return `${status} ${body.error?.errors[0]?.reason}`;
}

import type { Context } from "hono";
import type { BodyLimits } from "./listener/connections.ts";

/** Several times as large as our own form, which browsers send with the headers or right after them. */
const formLimits: BodyLimits = { maxBytes: 4_096, deadlineMs: 3_000 };
/** A delivery has one entry, or a few, of about a kilobyte each. */
export const deliveryLimits: BodyLimits = { maxBytes: 64 * 1_024, deadlineMs: 10_000 };

/** Where Discord posts to, below PUBLIC_URL. */
export const discordPaths = {
  interactions: "/discord/interactions",
  events: "/discord/events",
} as const;
/** A message menu brings a whole message, and a form has five fields of up to 4,000 characters: some tens of kilobytes. */
export const maxPostBytes = 512 * 1_024;
/** Discord waits 3 s for the whole answer. Bodies are counted by path, so each path has limits of its own. */
const postLimits: Readonly<Record<string, BodyLimits>> = {
  [discordPaths.interactions]: { maxBytes: maxPostBytes, deadlineMs: 3_000 },
  [discordPaths.events]: { maxBytes: maxPostBytes, deadlineMs: 3_000 },
};

interface Destination {
  readonly method: string | undefined;
  /** The request's own address, with its query. */
  readonly url: string | undefined;
  /** Path of the public address, which a proxy may have removed. */
  readonly base: string;
  readonly hasHub: boolean;
  readonly hasDiscord: boolean;
}

const form = /^\/connect\/[\w-]{43}(?:\/identity)?$/u;
const delivery = /^\/hub\/[\w-]{43}$/u;

/** The limits of a body at a path; undefined for paths that take none. Nothing has to be read or looked up for this. */
export function bodyLimitsAt({ method, url, base, hasHub, hasDiscord }: Destination) {
  if (method !== "POST") return undefined;
  const path = pathBelow(base, url);
  if (hasDiscord && Object.hasOwn(postLimits, path)) return postLimits[path];
  if (form.test(path)) return formLimits;
  return hasHub && delivery.test(path) ? deliveryLimits : undefined;
}

/** The path without the base, which a proxy may have removed, and without the query. */
export function pathBelow(base: string, url = ""): string {
  const end = url.indexOf("?");
  const whole = end < 0 ? url : url.slice(0, end);
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : whole;
}

/** Reads a body up to its limit; undefined if it is longer or was cut off. Never throws. */
export async function readBody(
  c: Context,
  { maxBytes }: Pick<BodyLimits, "maxBytes">,
): Promise<Uint8Array | undefined> {
  if (Number(c.req.header("Content-Length") ?? 0) > maxBytes) return undefined;
  const reader = c.req.raw.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done || value === undefined) return Buffer.concat(chunks);
      size += value.length;
      if (size > maxBytes) return undefined;
      chunks.push(value);
    }
  } catch {
    // The visitor hung up, or was too slow; nobody is left to answer.
    return undefined;
  }
}

/** Reads a form's fields; undefined for another kind of body, and for one that is longer than any of our forms. */
export async function readFormFields(c: Context): Promise<URLSearchParams | undefined> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded(?:;|$)/iu.test(type)) return undefined;
  const body = await readBody(c, formLimits);
  return body === undefined ? undefined : new URLSearchParams(new TextDecoder().decode(body));
}

import type { Context } from "hono";

/** Several times what our own form sends. */
const maxBytes = 4_096;

/** The fields of a form; undefined for another kind of body, and for one that is longer than any form of ours. */
export async function readForm(c: Context): Promise<URLSearchParams | undefined> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded(?:;|$)/iu.test(type)) return undefined;
  if (Number(c.req.header("Content-Length") ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = c.req.raw.body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    size += value.length;
    if (size > maxBytes) return undefined;
    chunks.push(value);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

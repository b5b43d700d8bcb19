import type { Context } from "hono";
import { formLimits, readBody } from "./bodies.ts";

/** The fields of a form; undefined for another kind of body, and for one that is longer than any form of ours. */
export async function readForm(c: Context): Promise<URLSearchParams | undefined> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded(?:;|$)/iu.test(type)) return undefined;
  const body = await readBody(c, formLimits);
  return body === undefined ? undefined : new URLSearchParams(new TextDecoder().decode(body));
}

import type { Context } from "hono";

/**
 * Whether a form was sent from a page of our own. `no-referrer` makes browsers send `Origin: null` with our own forms,
 * so `Sec-Fetch-Site` counts, which no page can set; what has neither is no browser that we know.
 */
export function isOwnForm(c: Context, origin: string): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  const from = c.req.header("Origin");
  if (from !== undefined && from !== "null" && from !== origin) return false;
  return site === undefined ? from === origin : site === "same-origin";
}

/**
 * Whether somebody really goes to this address: not a picture, a frame or a script of another page, and no browser that
 * loads ahead. Whoever sends none of these headers is let through; they only ever protect people with browsers.
 */
export function isVisit(c: Context): boolean {
  const isAhead = [c.req.header("Sec-Purpose"), c.req.header("Purpose")].some((purpose) =>
    purpose?.includes("prefetch"),
  );
  return !isAhead && is(c, "Sec-Fetch-Mode", "navigate") && is(c, "Sec-Fetch-Dest", "document");
}

function is(c: Context, header: string, expected: string): boolean {
  const value = c.req.header(header);
  return value === undefined || value === expected;
}

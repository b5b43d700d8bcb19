import type { Asked } from "../../support/web-client.ts";
import type { BegunLink } from "./stage.ts";

export interface Hostile {
  readonly target: string;
  readonly asked: Asked;
  /** Is somewhere in the request, and must be nowhere in the response. */
  readonly marker: string;
}

export interface Known {
  /** The link whose valid answer will be accepted. */
  readonly own: BegunLink;
  /** Open links of other people. */
  readonly others: readonly BegunLink[];
  readonly code: string;
  readonly cookie: (browser: string) => string;
}

const methods = ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"];
const oddities = [
  "%00",
  "%0d%0aSet-Cookie:x=y",
  "%F0%9F%92%A9",
  "%",
  "%zz",
  "%ff%fe",
  "..%2f",
  "<script>",
  "'\"",
  "\\",
  "{}",
  "%E2%80%AE",
  "+",
  "#",
  ";",
];

/**
 * Requests that are wrong in some way. None is a complete answer from the browser that the link belongs to: that one
 * would be valid, whatever its code.
 */
export function createHostile(random: () => number, known: Known): () => Hostile {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const chance = (share: number) => random() < share;
  const hex = (length: number) => {
    let text = "";
    while (text.length < length) text += Math.floor(random() * 0x1_0000_0000).toString(16);
    return text.slice(0, length);
  };
  const token = () => hex(43);
  const links = [known.own, ...known.others];

  function changed(text: string): string {
    const at = Math.floor(random() * text.length);
    const flipped = text[at] === "A" ? "B" : "A";
    return pick([
      text.slice(0, at) + flipped + text.slice(at + 1),
      text.slice(0, at),
      text + flipped,
      text.toUpperCase(),
      `%20${text}`,
      `${text}%00`,
      text + pick(oddities),
    ]);
  }

  const encoded = (text: string) =>
    [...text].map((c) => (chance(0.3) ? `%${c.charCodeAt(0).toString(16)}` : c)).join("");

  function stateOf(marker: string): string {
    const { state, linkToken, browser } = pick(links);
    return pick([
      () => state,
      () => encoded(state),
      () => changed(state),
      () => linkToken,
      () => browser,
      token,
      () => marker,
      () => "",
      () => (chance(0.1) ? marker.repeat(500) : token()),
    ])();
  }

  function queryOf(marker: string): string {
    const code = () =>
      pick([known.code, changed(known.code), token(), marker, "", marker.repeat(4)]);
    const parts = [
      ...(chance(0.9) ? [`state=${stateOf(marker)}`] : []),
      ...(chance(0.8) ? [`code=${code()}`] : []),
      ...(chance(0.2) ? [`state=${stateOf(marker)}`] : []),
      ...(chance(0.1) ? [`code=${code()}`] : []),
      ...(chance(0.2) ? [`error=${pick(["access_denied", marker, "server_error"])}`] : []),
      ...(chance(0.2) ? [`error_description=${marker}`] : []),
      ...(chance(0.1) ? [`iss=https://${marker}.example`] : []),
      ...(chance(0.2) ? [`${marker}=${pick(oddities)}`] : []),
    ].sort(() => random() - 0.5);
    return parts.join(chance(0.95) ? "&" : pick(["&&", ";", "?"]));
  }

  function callbackPath(marker: string): string {
    const { linkToken } = pick(links);
    return pick([
      ...Array<string>(12).fill("/oauth/callback"),
      "/discord/callback",
      "/discord/callback",
      `/connect/${linkToken}`,
      `/connect/${changed(linkToken)}`,
      `/connect/${linkToken}/identity`,
      `/connect/${marker}`,
      `/${marker}/oauth/callback`,
      `/oauth/callback/${marker}`,
      "/oauth//callback",
      "/OAuth/Callback",
      `/./oauth/x/../callback`,
    ]);
  }

  /** Never the cookie of a browser whose link is in the query, so that no answer is complete. */
  function cookieOf(query: string, marker: string): string | undefined {
    const named = decodedLeniently(query);
    const strangers = links.filter(({ state }) => !named.includes(state));
    const value = pick([
      () => (strangers.length > 0 ? pick(strangers).browser : token()),
      () => (strangers.length > 0 ? changed(pick(strangers).browser) : marker),
      () => changed(known.own.browser).replaceAll(known.own.browser, token()),
      token,
      () => marker,
      () => marker.repeat(30),
      () => undefined,
    ])();
    if (value === undefined) return undefined;
    const other = chance(0.2) ? `; ${known.cookie(token())}` : "";
    return `${chance(0.1) ? `${marker}=1; ` : ""}${known.cookie(value)}${other}`;
  }

  return () => {
    const marker = `zq${hex(14)}`;
    const query = queryOf(marker);
    const target = `${callbackPath(marker)}${chance(0.97) ? "?" : ""}${query}`;
    const method = chance(0.75) ? "GET" : pick(methods);
    const cookie = cookieOf(query, marker);
    const headers = {
      ...(cookie !== undefined && { Cookie: printable(cookie) }),
      ...(chance(0.3) && { "Sec-Fetch-Site": pick(["same-origin", "cross-site", marker]) }),
      ...(chance(0.1) && { "Sec-Fetch-Mode": pick(["navigate", "no-cors", marker]) }),
      ...(chance(0.2) && { Origin: pick(["null", "http://127.0.0.1:1", `https://${marker}`]) }),
      ...(chance(0.1) && { Host: pick([`${marker}.example`, "a b", "[::1"]) }),
      ...(chance(0.2) && { "Accept-Language": pick(["de", marker, "ja;q=0.5", "*"]) }),
      ...(chance(0.1) && { "X-Forwarded-For": pick([marker, "1.2.3.4"]) }),
      ...(chance(0.02) && { "X-Padding": "x".repeat(Math.floor(random() * 30_000)) }),
      ...(method !== "GET" &&
        chance(0.7) && { "Content-Type": pick(["application/x-www-form-urlencoded", marker]) }),
    };
    const body = method === "GET" || chance(0.5) ? undefined : bodyOf(marker);
    return { target, marker, asked: { method, headers, ...(body !== undefined && { body }) } };
  };

  function bodyOf(marker: string): string {
    return pick([
      `permission=${marker}`,
      "permission=read",
      queryOf(marker),
      marker.repeat(300),
      "\u0000",
    ]);
  }
}

/** Decodes the query more leniently than any parser, to find every link that it could name. */
function decodedLeniently(query: string): string {
  return query.replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Node's client allows no other characters in a header. */
function printable(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e]/gu, "?");
}

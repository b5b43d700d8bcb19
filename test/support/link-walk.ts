import type { OAuthAccount } from "../../src/sandbox/oauth/index.ts";
import type { PersonName } from "../../src/sandbox/types.ts";
import { type Asked, createWebClient } from "./web-client.ts";

/** How a person goes through the pages of a link. */
export interface Walk {
  /** The person who signs in at Discord. */
  readonly person?: PersonName;
  /** The permissions that they tick on our page. */
  readonly permissions?: readonly string[];
  /** The account that they choose. */
  readonly account: OAuthAccount;
  /** The scopes that they grant, by short names; all that were requested when absent. */
  readonly scopes?: readonly string[];
  readonly decision?: "allow" | "cancel";
}

/** Walks from a link's page to its end, like a browser without scripts; returns the last page's text. */
export async function walkLink(url: string, walk: Walk): Promise<string> {
  const own = createBrowser(new URL(url).origin);
  return goThrough(own, url, walk).finally(own.close);
}

async function goThrough(
  own: ReturnType<typeof createBrowser>,
  url: string,
  walk: Walk,
): Promise<string> {
  const { person = "owner", permissions = ["read"], account, scopes, decision = "allow" } = walk;
  let page = await own.get(url);
  const identity = /action="([^"]+\/identity)"/u.exec(page.text)?.[1];
  if (identity !== undefined) {
    const asked = await own.post(new URL(identity, url).href, {});
    const back = await answerForm(asked.location, { person, decision: "authorize" });
    page = await own.get(back);
    if (page.location !== "") page = await own.get(page.location);
  }
  const consent = await own.post(url, { permission: permissions });
  if (consent.location === "") return consent.text;
  const chosen = { account: account.id, decision, ...(scopes && { scope: scopes }) };
  const done = await own.get(await answerForm(consent.location, chosen));
  return done.location === "" ? done.text : (await own.get(done.location)).text;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Submits a stand-in's form; returns the address that the browser is sent to. */
async function answerForm(url: string, fields: Fields): Promise<string> {
  const page = await (await fetch(url)).text();
  const request = /name="request" value="([^"]+)"/u.exec(page)?.[1] ?? "";
  const action = /action="([^"]+)"/u.exec(page)?.[1] ?? "";
  const offered = [...page.matchAll(/name="scope" value="([^"]+)"/gu)].flatMap(
    ([, scope]) => scope ?? [],
  );
  const wanted = fields.scope;
  const scope = offered.filter(
    (one) => wanted === undefined || wanted.includes(one.slice(one.lastIndexOf("/") + 1)),
  );
  const body = formOf({ ...fields, request, scope });
  const target = new URL(action.replaceAll("&amp;", "&"), url);
  const answer = await fetch(target, { method: "POST", body, redirect: "manual" });
  return answer.headers.get("location") ?? "about:blank";
}

function formOf(fields: Fields): URLSearchParams {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs);
}

/** Keeps the cookies of our own pages, and sends the headers of a form; `fetch` would send those of a script. */
function createBrowser(origin: string) {
  const cookies = new Map<string, string>();
  const client = createWebClient(Number(new URL(origin).port));

  async function send(url: string, asked: Asked) {
    const { pathname, search } = new URL(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...asked.headers, ...(cookie && { cookie }) };
    const { headers: answered, ...answer } = await client.ask(pathname + search, {
      ...asked,
      headers,
    });
    for (const line of answer.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      cookies.set(name, value);
    }
    const { location } = answered;
    return {
      location: location === undefined ? "" : new URL(location, url).href,
      text: answer.body,
    };
  }

  return {
    get: (url: string) => send(url, {}),
    post: (url: string, fields: Fields) =>
      send(url, {
        method: "POST",
        body: `${formOf(fields)}`,
        headers: { origin, "content-type": "application/x-www-form-urlencoded" },
      }),
    close: client.close,
  };
}

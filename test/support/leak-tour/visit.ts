import { createWebClient } from "../web-client.ts";

export interface Shown {
  readonly status: number;
  readonly url: URL;
  readonly body: string;
  readonly location: URL | undefined;
}

export type Visitor = ReturnType<typeof createVisitor>;

/** A browser with addresses, forms and cookies, but nothing else. It passes every page to `onShown`. */
export function createVisitor(onShown: (shown: Shown) => void) {
  const clients = new Map<string, ReturnType<typeof createWebClient>>();
  const cookies = new Map<string, Map<string, string>>();

  return {
    /** Goes to one address as a person would, without following redirects. */
    async go(address: URL | string, form?: Readonly<Record<string, string>>) {
      const url = new URL(address);
      const client = clients.get(url.port) ?? createWebClient(Number(url.port));
      clients.set(url.port, client);
      const { status, headers, body, ...answer } = await client.ask(url.pathname + url.search, {
        method: form === undefined ? "GET" : "POST",
        headers: {
          Host: url.host,
          "Sec-Fetch-Site": form === undefined ? "cross-site" : "same-origin",
          "Sec-Fetch-Mode": "navigate",
          "Sec-Fetch-Dest": "document",
          ...(cookies.has(url.host) && { Cookie: cookieHeader(cookies.get(url.host)) }),
          ...(form !== undefined && { "Content-Type": "application/x-www-form-urlencoded" }),
        },
        ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
      });
      const jar = cookies.get(url.host) ?? new Map<string, string>();
      for (const cookie of answer.cookies) {
        const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/su);
        jar.set(name, value);
      }
      if (jar.size > 0) cookies.set(url.host, jar);
      const location = headers.location === undefined ? undefined : new URL(headers.location, url);
      const shown = { status, url, body, location };
      onShown(shown);
      return shown;
    },
    close: () => {
      for (const client of clients.values()) client.close();
    },
  };
}

function cookieHeader(jar: ReadonlyMap<string, string> | undefined): string {
  return [...(jar ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Where the page redirects to. @throws when it does not redirect. */
export function onward({ location, status, body }: Shown): URL {
  if (location === undefined)
    throw new Error(`nobody is sent on, but ${status}: ${body.slice(0, 500)}`);
  return location;
}

/** The hidden field by which a form says which question it answers. */
export function handleIn({ body }: Shown): string {
  return /name="request" value="([^"]+)"/u.exec(body)?.[1] ?? "";
}

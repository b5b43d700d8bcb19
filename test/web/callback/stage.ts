import { createHttp } from "../../../src/http/index.ts";
import { createLanguages, locales } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { createLinks, type PendingLink } from "../../../src/oauth/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { startWeb } from "../../../src/web/index.ts";
import { counting } from "../../oauth/counting.ts";
import { start } from "../../sandbox/oauth/support.ts";
import { createWebClient, type WebClient } from "../../support/web-client.ts";

const publicUrl = "http://127.0.0.1:1";
const cookieName = "greenroom-link";

/** A link that a person has begun in a browser, which is now at Google's consent page. */
export interface BegunLink {
  readonly linkToken: string;
  readonly browser: string;
  readonly state: string;
  /** The address of Google's consent page. */
  readonly consent: URL;
}

/** The real pages, link flow and store with Google's stand-in, and a counter before its token endpoint. */
export async function openCallback() {
  const { server } = await start({ redirectUris: [`${publicUrl}/oauth/callback`], now: Date.now });
  const front = await counting(server.tokenUrl);
  const http = createHttp({});
  const store = await openStore({
    url: "sqlite::memory:",
    keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
  });
  const logged: string[] = [];
  const pending: PendingLink[] = [];
  const write = (line: string) => logged.push(line);
  const log = createLog({ level: "debug", secrets: createSecrets(), write });
  const links = createLinks({
    ...store,
    http,
    now: Date.now,
    onSecret: () => undefined,
    client: {
      authorizeUrl: server.authorizeUrl,
      tokenUrl: front.url,
      clientId: server.clientId,
      clientSecret: server.clientSecret,
    },
    publicUrl,
    discord: { apiUrl: `${publicUrl}/api`, siteUrl: publicUrl, clientSecret: undefined },
    channelsOf: async () => [{ channelId: "UCstudio", title: "Evening Lights" }],
    onPending: (one) => void pending.push(one),
  });
  const web = await startWeb({
    links,
    publicUrl,
    goesTo: [server.authorizeUrl],
    discordUrl: "https://discord.example",
    words: { locales, of: createLanguages().of },
    port: 0,
    host: "127.0.0.1",
    log,
    now: Date.now,
    traffic: { visitor: 1e9, all: 1e9 },
  });
  const client = createWebClient(web.port, { sockets: 8 });
  return {
    client,
    port: web.port,
    logged,
    pending,
    /** Requests to the token endpoint. */
    exchanged: front.received,
    begin: (number: number) => begin(links, client, number),
    agree: (link: BegunLink) => agree(link, server.url),
    cookie: (browser: string) => `${cookieName}=${browser}`,
    close: async () => {
      client.close();
      await web.close();
      await Promise.all([http.close(), store.close(), front.close(), server.close()]);
    },
  };
}

export type CallbackStage = Awaited<ReturnType<typeof openCallback>>;

type Links = ReturnType<typeof createLinks>;

async function begin(links: Links, { ask }: WebClient, number: number): Promise<BegunLink> {
  const { url } = await links.begin({
    guildId: `${100_000_000_000_000_000n + BigInt(number)}`,
    guildName: "Pixel & Pine",
    userId: `${200_000_000_000_000_000n + BigInt(number)}`,
    userName: "Robin",
    permissions: ["read"],
    answerTo: { applicationId: "3", interactionToken: "token", locale: "en-US" },
  });
  const { pathname } = new URL(url);
  const { cookies } = await ask(pathname);
  const browser = /=([\w-]{43});/u.exec(cookies[0] ?? "")?.[1] ?? "";
  const { headers } = await ask(pathname, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
      Cookie: `${cookieName}=${browser}`,
    },
    body: "permission=read&permission=upload",
  });
  const consent = new URL(headers.location ?? "");
  const state = consent.searchParams.get("state") ?? "";
  return { linkToken: pathname.slice("/connect/".length), browser, state, consent };
}

/** Allows everything on the consent page; returns the path and query that the browser is sent to. */
async function agree({ consent }: BegunLink, service: string): Promise<string> {
  const page = await (await fetch(consent)).text();
  const fields = [...page.matchAll(/name="(request|scope)" value="([^"]*)"/gu)];
  const form = new URLSearchParams({ decision: "allow" });
  for (const [, name = "", value = ""] of fields) form.append(name, value);
  form.append("account", /name="account" value="([^"]*)"/u.exec(page)?.[1] ?? "");
  const answer = await fetch(new URL("/o/oauth2/v2/auth", service), {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const { pathname, search } = new URL(answer.headers.get("location") ?? "");
  return pathname + search;
}

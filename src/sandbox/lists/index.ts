import { createHash } from "node:crypto";
import { Hono } from "hono";
import { listenOnLoopback } from "../listen.ts";

/** What an address answers with. */
export interface ListAnswer {
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stands in for the sites that lists are fetched from; the host is the first part of the path. */
export interface ListHost {
  readonly url: string;
  /** The addresses that were fetched, in order, and how they were answered. */
  readonly fetched: readonly { readonly address: string; readonly status: number }[];
  /** From then on that address, without `https://`, answers so. */
  serve(address: string, answer: ListAnswer): void;
  close(): Promise<void>;
}

const phishing =
  "raw.githubusercontent.com/nikolaischunk/discord-phishing-links/main/domain-list.json";
const words =
  "raw.githubusercontent.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words/master";
const phishingDomains = ["free-nitro.example", "steam-gift.example", "claim-prize.example"];
/** Mild words in place of the real ones. */
const badWords: Readonly<Record<string, string>> = {
  en: "darn\nheck\nfree presets\n",
  de: "Mist\nverflixt\n",
  es: "caramba\nrayos\n",
  fr: "zut\nflûte\n",
  ja: "くそ\nばか\n",
};

/** The addresses of the lists that the bot offers, and `lists.example/spam.txt` to try one's own. */
function samples(): Map<string, ListAnswer> {
  const json = JSON.stringify({ domains: phishingDomains });
  return new Map<string, ListAnswer>([
    [phishing, { body: json }],
    ...Object.entries(badWords).map(([language, body]): [string, ListAnswer] => [
      `${words}/${language}`,
      { body },
    ]),
    ["lists.example/spam.txt", { body: "# a list to try\nfree presets\ngiveaway\nscam.example\n" }],
    ["lists.example/moved", { body: "", status: 302, headers: { location: "https://10.0.0.1/" } }],
  ]);
}

export async function startListHost(): Promise<ListHost> {
  const answers = samples();
  const fetched: { readonly address: string; readonly status: number }[] = [];
  const app = new Hono();
  app.get("*", ({ req }) => {
    const { pathname } = new URL(req.url);
    const address = pathname.slice(1);
    const answer = answers.get(address);
    const response =
      answer === undefined ? notFound() : respond(answer, req.header("if-none-match"));
    fetched.push({ address, status: response.status });
    return response;
  });
  const { origin, close } = await listenOnLoopback(app, 0);
  return {
    url: origin,
    fetched,
    serve: (address, answer) => void answers.set(address, answer),
    close,
  };
}

function notFound(): Response {
  return new Response("404: Not Found", { status: 404 });
}

function respond({ body, status = 200, headers = {} }: ListAnswer, known?: string): Response {
  if (body === null || body instanceof ReadableStream || status !== 200) {
    return new Response(body, { status, headers });
  }
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  const tagged = { etag, ...headers };
  if (known === etag) return new Response(null, { status: 304, headers: tagged });
  return new Response(body, { headers: tagged });
}

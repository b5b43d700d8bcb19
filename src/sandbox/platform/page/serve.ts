import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { BundleFile } from "./bundle.ts";

export interface PageServer {
  /** Answers `GET /` and `GET /assets/…`, everything else with 404 or 405. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
};

/** The sandbox's web page; it is bundled in memory on the first request, which takes about a second. */
export async function servePage(): Promise<PageServer> {
  const closing = new AbortController();
  let worker: Worker | undefined;
  let files: Promise<ReadonlyMap<string, BundleFile>> | undefined;

  async function bundleInWorker(): Promise<ReadonlyMap<string, BundleFile>> {
    worker = new Worker(new URL("./bundle.ts", import.meta.url), {
      workerData: fileURLToPath(new URL(".", import.meta.url)),
    });
    // Rejects when the bundler fails, and when the server is closed before it is done.
    const message = once(worker, "message", { signal: closing.signal });
    const [built] = (await message) as [readonly BundleFile[]];
    await worker.terminate();
    return new Map(built.map((file) => [file.name, file]));
  }

  function bundled(): Promise<ReadonlyMap<string, BundleFile>> {
    files ??= bundleInWorker().catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  }

  return {
    async fetch(request) {
      if (request.method !== "GET" && request.method !== "HEAD") return text(405, "Only GET here.");
      const url = new URL(request.url);
      // Where links to a channel of Discord lead.
      if (/^\/channels\/\d+(\/\d+)?$/u.test(url.pathname))
        return Response.redirect(new URL("/", url));
      const name = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
      const file = (await bundled()).get(name);
      if (!file) return text(404, "No such page.");
      return answer(file, url.host, request.method);
    },
    async close() {
      closing.abort();
      await worker?.terminate();
    },
  };
}

function answer(file: BundleFile, host: string, method: string): Response {
  const ending = file.name.slice(file.name.lastIndexOf(".") + 1);
  const isHashed = file.name.startsWith("assets/");
  const anyMedia = "'self' http: https: blob: data:";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${anyMedia}`,
    `media-src ${anyMedia}`,
    // Some browsers do not count a socket to the own host as 'self'.
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    "content-type": contentTypes[ending] ?? "application/octet-stream",
    // Names of assets change with their content; the document must always be the current one.
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-store",
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
  };
  const body = typeof file.body === "string" ? file.body : new Uint8Array(file.body);
  return new Response(method === "HEAD" ? null : body, { headers });
}

function text(status: number, words: string): Response {
  return new Response(words, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Faults } from "../faults.ts";
import type { StoredFile } from "./files.ts";
import { allUsers, type PlatformState } from "./state.ts";

// Types that a browser may show inline. All others are downloads: shown inline they would run with the page's origin.
const shownInPlace = /^(image\/(png|jpeg|gif|webp)|video\/|audio\/|text\/plain)/;
const palette = ["#e98a15", "#2e9d6a", "#5b7fc7", "#b5507a", "#7a5bc7", "#3a8fa3"];

type HeaderOf = (name: string) => string | undefined;

/** A file never changes, so its id can be its ETag. */
function served(file: StoredFile, header: HeaderOf): Response {
  const { byteLength } = file.data;
  const place = shownInPlace.test(file.type) ? "inline" : "attachment";
  const etag = `"${file.id}"`;
  const headers = {
    "content-type": file.type,
    "content-disposition": `${place}; filename="${file.name}"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=86400",
    "accept-ranges": "bytes",
    etag,
  };
  if (header("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const isSame = [undefined, etag].includes(header("if-range"));
  const range = isSame ? readRange(header("range"), byteLength) : undefined;
  if (range === "unsatisfiable") {
    const refused = { ...headers, "content-range": `bytes */${byteLength}` };
    return new Response(null, { status: 416, headers: refused });
  }
  const { from, to } = range ?? { from: 0, to: byteLength - 1 };
  const partial = { "content-range": `bytes ${from}-${to}/${byteLength}` };
  return new Response(streamParts(file.data, { from, to }), {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(to - from + 1),
      ...(range === undefined ? {} : partial),
    },
  });
}

function pictureHeaders(type: string) {
  return {
    "content-type": type,
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=86400",
  };
}

function avatar(letter: string, seed: string): Response {
  const color = palette[Number(BigInt(seed) % BigInt(palette.length))];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128"><rect width="128" height="128" fill="${color}"/>` +
    `<text x="64" y="86" font-family="sans-serif" font-size="64" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return new Response(svg, {
    headers: {
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'",
      "cache-control": "public, max-age=86400",
    },
  });
}

/** Attachments behind signed addresses, avatars, emoji and stickers, and pictures of other sites by redirect. */
export function cdnRoutes(state: PlatformState, faults: Faults): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const gone = (): Response =>
    new Response("This content is no longer available.", { status: 404 });

  for (const root of ["/attachments/*", "/ephemeral-attachments/*", "/media/*"]) {
    app.use(root, faults.middleware);
    app.get(root, (c) => {
      const { pathname, searchParams } = new URL(c.req.url);
      const file = state.files.open(pathname.replace(/^\/media(?=\/)/, ""), searchParams);
      return file === undefined ? gone() : served(file, (name) => c.req.header(name));
    });
  }

  app.get("/avatars/:userId/:file", (c) => {
    const id = c.req.param("userId");
    const user = allUsers(state).find((each) => each.id === id);
    if (user === undefined) return gone();
    return avatar((user.global_name ?? user.username).charAt(0).toUpperCase(), id);
  });

  for (const kind of ["emojis", "stickers"] as const) {
    app.get(`/${kind}/:file`, (c) => {
      const id = c.req.param("file").replace(/\.\w+$/, "");
      const found = state.expressions[kind].get(id);
      if (found === undefined) return gone();
      return c.body(new Uint8Array(found.data), 200, pictureHeaders(found.type));
    });
  }

  app.get("/guild-events/:id/:file", (c) => {
    const cover = state.events.get(c.req.param("id"))?.cover;
    if (cover?.hash !== c.req.param("file").replace(/\.\w+$/, "")) return gone();
    return c.body(new Uint8Array(cover.data), 200, pictureHeaders(cover.type));
  });

  app.get("/embed/avatars/:file", () => avatar("?", "1"));

  app.get("/external/:id", (c) => {
    const url = state.externalAddresses.get(c.req.param("id"));
    return url === undefined ? gone() : c.redirect(url, 302);
  });

  return app;
}

/** The bytes of a file from the first to the last, both counted in. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What a `Range` header asks of a file with this many bytes: undefined for all of it, as for units and lists that are
 * not served; `unsatisfiable` for what begins behind its end. https://www.rfc-editor.org/rfc/rfc9110#name-range
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const from = Math.max(0, size - Number(last));
    return from < size ? { from, to: size - 1 } : "unsatisfiable";
  }
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return undefined;
  return from < size ? { from, to } : "unsatisfiable";
}

const partBytes = 256 * 1_024;

/** The range as a body that never holds more than a part of it. */
function streamParts(data: Uint8Array, { from, to }: ByteRange): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream({
    pull(controller) {
      if (at > to) return controller.close();
      const end = Math.min(at + partBytes, to + 1);
      controller.enqueue(data.subarray(at, end));
      at = end;
    },
  });
}

import { Hono } from "hono";
import type { StoredFile } from "./files.ts";
import type { World } from "./world.ts";

// What a browser may show in place; all else is saved, because it would run with the page's own origin.
const shownInPlace = /^(image\/(png|jpeg|gif|webp)|video\/|audio\/|text\/plain)/;
const palette = ["#e98a15", "#2e9d6a", "#5b7fc7", "#b5507a", "#7a5bc7", "#3a8fa3"];

function served(file: StoredFile): Response {
  const place = shownInPlace.test(file.type) ? "inline" : "attachment";
  return new Response(new Uint8Array(file.data), {
    headers: {
      "content-type": file.type,
      "content-disposition": `${place}; filename="${file.name}"`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=86400",
    },
  });
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

/** Attachments behind signed addresses, avatars, and pictures of other sites by redirect. */
export function cdnRoutes(world: World): Hono {
  const app = new Hono();
  const gone = (): Response =>
    new Response("This content is no longer available.", { status: 404 });

  function open(url: string): Response {
    const { pathname, searchParams } = new URL(url);
    const file = world.files.open(pathname.replace(/^\/media(?=\/)/, ""), searchParams);
    return file === undefined ? gone() : served(file);
  }

  for (const root of ["/attachments/*", "/ephemeral-attachments/*", "/media/*"]) {
    app.get(root, (c) => open(c.req.url));
  }

  app.get("/avatars/:userId/:file", (c) => {
    const id = c.req.param("userId");
    const people = Object.values(world.cast.people).map((person) => person.user);
    const user = [world.cast.bot, ...people].find((each) => each.id === id);
    if (user === undefined) return gone();
    return avatar((user.global_name ?? user.username).charAt(0).toUpperCase(), id);
  });

  app.get("/embed/avatars/:file", () => avatar("?", "1"));

  app.get("/external/:id", (c) => {
    const url = world.external.get(c.req.param("id"));
    return url === undefined ? gone() : c.redirect(url, 302);
  });

  return app;
}

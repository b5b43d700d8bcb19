import { Hono } from "hono";
import type { PictureWorker } from "./picture-worker.ts";
import type { RequestBytes } from "./request/form.ts";

/** What FastAPI says of itself, as far as anybody reads it. */
const description = {
  openapi: "3.1.0",
  info: { title: "Rembg", version: "2.0" },
  paths: { "/api/remove": { post: { summary: "Remove from Stream" } } },
} as const;

/**
 * Stand-in for rembg's HTTP server, beside remove.bg's: docs/services/rembg.md#request. It has no keys, credits or limits. It takes the
 * form's `file` and `om`, refuses models that it does not have, and answers what it can't read as rembg does.
 */
export function createRembg({ worker, readBody }: RembgDeps): Hono {
  const app = new Hono();
  app.get("/openapi.json", (c) => c.json(description));
  app.post("/api/remove", async (c) => {
    try {
      const made = await worker.rembg(await readBody(c.req.raw));
      if ("detail" in made) return c.json(made, 422);
      return c.body(new Uint8Array(made.bytes), 200, { "Content-Type": "image/png" });
    } catch {
      return c.text("Internal Server Error", 500);
    }
  });
  return app;
}

interface RembgDeps {
  readonly worker: Pick<PictureWorker, "rembg">;
  readonly readBody: (request: Request) => Promise<RequestBytes>;
}

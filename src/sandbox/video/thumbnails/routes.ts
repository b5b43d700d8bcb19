import type { Context, Hono } from "hono";
import type { Bindings } from "../incoming.ts";
import type { World } from "../world/index.ts";
import { createGallery } from "./gallery.ts";

/** Serves drawn and uploaded pictures: `/vi` and `/ch` those of videos and channels, `/banners` and `/watermarks`. */
export function addPictures(app: Hono<Bindings>, world: World): void {
  const gallery = createGallery(world);
  for (const [path, pictures] of [
    ["/vi/:id/:file", gallery.video],
    ["/ch/:id/:file", gallery.channel],
  ] as const) {
    app.get(path, async (c) => {
      const bytes = await pictures(c.req.param("id"), c.req.param("file"));
      return picture(c, bytes, "image/jpeg");
    });
  }
  app.get("/banners/:id", (c) => {
    const banner = world.banners.get(c.req.param("id"));
    return picture(c, banner?.bytes, banner?.type);
  });
  app.get("/watermarks/:channelId", (c) => {
    const shown = world.watermarks.get(c.req.param("channelId"))?.picture;
    return picture(c, shown?.bytes, shown?.type);
  });
}

function picture(c: Context, bytes: Uint8Array | undefined, type = "image/jpeg"): Response {
  if (bytes === undefined) return c.text("Not found", 404);
  // An address stays when its picture changes, and who changed it wants to see that.
  const headers = { "Content-Type": type, "Cache-Control": "no-cache" };
  return c.body(Uint8Array.from(bytes), 200, headers);
}

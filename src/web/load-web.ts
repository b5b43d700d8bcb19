import type { Web, WebOptions } from "./start-web.ts";

/** As `startWeb`, whose packages are loaded only where there are pages: a start without them would notice. */
export async function startWeb(options: WebOptions): Promise<Web> {
  const web = await import("./start-web.ts");
  return web.startWeb(options);
}

export interface LazyPage {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The page, loaded when somebody first looks: tests that only talk to the bot never pay for its bundler. */
export function createLazyPage(): LazyPage {
  let page: Promise<LazyPage> | undefined;

  async function load(): Promise<LazyPage> {
    const { servePage } = await import("./platform/page/serve.ts");
    return servePage();
  }

  return {
    async fetch(request) {
      page ??= load();
      return (await page).fetch(request);
    },
    async close() {
      await (await page)?.close();
    },
  };
}

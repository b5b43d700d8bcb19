type Sharp = typeof import("sharp");

/** The only decoders there are: SVG, TIFF, GIF, HEIF and the rest stay closed whatever a file claims to be. */
const loaders = ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"];

/** Opens libvips on first use: importing this room must cost nothing, and the bot's own process never needs it. */
export async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  // Every picture is seen once: a cache would only hold memory.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

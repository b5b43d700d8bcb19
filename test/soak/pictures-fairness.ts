/**
 * Requests 200 stickers for one server at once and prints how long others wait meanwhile: `node pictures-fairness.ts`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { openBot } from "../support/isolation/bot.ts";
import { command } from "../support/raw-interactions.ts";

/** All values are in seconds. */
export interface FairnessReport {
  readonly alone: number;
  /** The wait of a person in another server, and of another person in the same server. */
  readonly server: number;
  readonly person: number;
}

const greedy = { guildId: "100000000000000000", userId: "110000000000000000" };
const neighbour = { ...greedy, userId: "120000000000000000" };
const stranger = { guildId: "200000000000000000", userId: "210000000000000000" };

const wanted = 200;
const side = 3_000;

const picture = await sharp({
  create: { width: side, height: side, channels: 4, background: "#36912480" },
})
  .composite([
    { input: { create: { width: 900, height: 900, channels: 4, background: "#00000000" } } },
  ])
  .png({ compressionLevel: 2 })
  .toBuffer();
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "image/png", "content-length": picture.length });
  response.end(picture);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const bot = await openBot(url, Date.now);

async function sticker(whose: typeof greedy): Promise<number> {
  const image = { filename: "a.png", url: `${url}/cdn/a.png`, size: picture.length };
  const start = performance.now();
  const outcome = await bot.receive(command("background sticker", whose, { image }));
  if (outcome !== "answered" && outcome !== "files_busy") throw new Error(outcome);
  if (outcome !== "answered" && whose !== greedy) throw new Error(outcome);
  return (performance.now() - start) / 1000;
}

await sticker(stranger);
const alone = await sticker(stranger);
const flood = Promise.all(Array.from({ length: wanted }, () => sticker(greedy)));
await new Promise((resolve) => setTimeout(resolve, 2_000));
const [other, same] = await Promise.all([sticker(stranger), sticker(neighbour)]);
process.stdout.write(
  JSON.stringify({ alone, server: other, person: same } satisfies FairnessReport),
);
await flood;
await bot.close();
server.close();

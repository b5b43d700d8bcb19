/**
 * Requests 60 stickers of 24 MB from a bot in a separate process and prints what they took: `node pictures-memory.ts`.
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import { startPlatform } from "../../src/sandbox/platform/index.ts";
import { noise } from "../images/pictures.ts";
import { spawnBot } from "../support/spawn-bot.ts";
import { asMessage, textOf } from "../support/stage.ts";

export interface MemoryReport {
  /** The most memory used beyond what the idle bot has. */
  readonly grownMb: number;
  /** How long another person waited for a sticker of a small picture. */
  readonly waitSeconds: number;
}

const wanted = 60;
const side = 2_450;

const large = await sharp(noise(side * side * 4), {
  raw: { width: side, height: side, channels: 4 },
})
  .png({ compressionLevel: 0 })
  .toBuffer();
const small = await sharp(noise(200 * 200 * 4), { raw: { width: 200, height: 200, channels: 4 } })
  .png()
  .toBuffer();

const platform = await startPlatform({ hasLimits: false, attachmentLimit: 30 * 1024 * 1024 });
const bot = await spawnBot({ platform });
await delay(3_000);

function residentMb(): number {
  const status = readFileSync(`/proc/${bot.child.pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) * 1024) / 1e6;
}

const idleMb = residentMb();
let peakMb = idleMb;
const looking = setInterval(() => {
  peakMb = Math.max(peakMb, residentMb());
}, 20);

/** Resolves when the file is there, or with the failure's text. */
async function sticker(name: "member" | "owner", data: Buffer): Promise<string> {
  const person = platform.people(name);
  const image = { name: "a.png", type: "image/png", data };
  const first = asMessage(await person.command("background sticker", { image }));
  for (;;) {
    const now = person.messages().find(({ id }) => id === first.id);
    if (now === undefined) return "refused";
    if (now.attachments.length > 0 || now.embeds[0]?.image !== undefined) return "done";
    if (/waiting|can’t|could not|went wrong/iu.test(textOf(now))) return textOf(now);
    await delay(100);
  }
}

/** The sandbox's Discord is in this process and needs time for each upload. */
const uploadMs = 100;
const flooding: Promise<string>[] = [];
for (let n = 0; n < wanted; n += 1) {
  flooding.push(sticker("member", large));
  await delay(uploadMs);
}
const flood = Promise.all(flooding);
const start = performance.now();
const outcome = await sticker("owner", small);
const waitSeconds = (performance.now() - start) / 1000;
const outcomes = await flood;
clearInterval(looking);
console.error(`large: ${large.length} bytes, idle ${Math.round(idleMb)} MB, small: ${outcome}`);
console.error(JSON.stringify(Object.groupBy(outcomes, (one) => one.slice(0, 60))).slice(0, 2_000));
process.stdout.write(
  JSON.stringify({ grownMb: peakMb - idleMb, waitSeconds } satisfies MemoryReport),
);
await bot.stop();
await platform.close();

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import type { SandboxFile } from "../../src/sandbox/types.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import { withInputs } from "./compose-inputs.ts";
import { photoZip } from "./photo-zip.ts";

/** How quickly a bot answered, and how long its event loop was held up. */
export interface Answering {
  /** From when the sandbox's Discord sends INTERACTION_CREATE until the acknowledgement arrives there, in ms. */
  readonly p50: number;
  readonly p99: number;
  /** How long the bot's event loop was held up at most, in ms: by the clock, and by what its main thread itself did. */
  readonly delayMs: number;
  readonly stallMs: number;
}

/** How many pictures are cut out meanwhile. */
interface Pictures {
  /** Small ones whose result has 10 megapixels. */
  readonly small: number;
  /** Pictures of 60 megapixels and 8 MB, which have to be brought under the limits; the result has 50 megapixels. */
  readonly large: number;
}

const measures = {
  quiet: () => measured({ small: 0, large: 0 }, []),
  busy: () =>
    withInputs(["photo.60mp", "50mp"], (files) => measured({ small: 8, large: 3 }, files)),
} as const;

const known = new Map<keyof typeof measures, Promise<Answering>>();

/**
 * 50 interactions a second for 10 s, the bot in a separate process: the time measured is more than the time inside the
 * bot, never less. Measured once in a run: several rows use it.
 */
export function answering(when: keyof typeof measures): Promise<Answering> {
  const measuring = known.get(when) ?? measures[when]();
  known.set(when, measuring);
  return measuring;
}

async function measured(pictures: Pictures, [photo, zip]: readonly string[]): Promise<Answering> {
  const sent = new Map<string, number>();
  const waits: number[] = [];
  const platform = await startPlatform({
    hasLimits: false,
    onGatewayEvent: (event) => {
      if (event.name === "INTERACTION_CREATE") {
        sent.set((event.data as { readonly id: string }).id, performance.now());
      }
    },
    onExchange: ({ path }) => {
      const [, id] = /\/interactions\/(\d+)\//u.exec(path) ?? [];
      const at = sent.get(id ?? "");
      if (at !== undefined) waits.push(performance.now() - at);
    },
  });
  const service = await cannedService(zip);
  const probe = new URL("./loop-probe.ts", import.meta.url).href;
  const nodeFlags = [`--import=${probe}`];
  const bot = await spawnBot({ platform, backgroundUrl: service.url, seeded: true, nodeFlags });
  try {
    // A process that has just started still compiles its own code.
    await interactions(platform, 100);
    await stallOf(bot);
    waits.length = 0;
    await load(platform, pictures, photo);
    waits.sort((a, b) => a - b);
    const at = (share: number) => waits[Math.floor(waits.length * share)] ?? Number.NaN;
    return { p50: at(0.5), p99: at(0.99), ...(await stallOf(bot)) };
  } finally {
    await bot.stop();
    await platform.close();
    service.close();
  }
}

/** The longest stall since the last call. */
async function stallOf(bot: SpawnedBot): Promise<Pick<Answering, "delayMs" | "stallMs">> {
  const loopLines = () => bot.lines.filter(({ message }) => message === "loop");
  const before = loopLines().length;
  bot.child.kill("SIGUSR2");
  while (loopLines().length === before) await pause(10);
  const { maxMs, cpuMs } = loopLines().at(-1) ?? {};
  return { delayMs: Number(maxMs), stallMs: Number(cpuMs) };
}

/** Interactions continue until the last picture is done, and for at least 10 s. */
async function load(platform: Platform, pictures: Pictures, photo: string | undefined) {
  const { tiny } = await photoZip();
  const data = photo === undefined ? tiny : await readFile(photo);
  const images: readonly SandboxFile[] = [
    ...Array.from({ length: pictures.large }, () => ({ name: "a.jpg", type: "image/jpeg", data })),
    ...Array.from({ length: pictures.small }, () => ({
      name: "a.png",
      type: "image/png",
      data: tiny,
    })),
  ];
  // More than members may spend on a day unless an owner says otherwise.
  await platform.people("owner").command("connect budget", { rank: "member", credits: 100 });
  let isDone = false;
  const composing = Promise.all(images.map((image) => cutOut(platform, image))).finally(() => {
    isDone = true;
  });
  await Promise.all([composing, interactions(platform, 500, () => isDone)]);
}

/** Ample: all pictures together take half a minute on two cores. */
const longestMs = 300_000;

/** WebP takes long to compose and is small to send, so that the bot is measured and not the sandbox beside it. */
async function cutOut(platform: Platform, image: SandboxFile): Promise<void> {
  const member = platform.people("member");
  const { id } = (await member.command("background remove", { image, format: "webp" })) as {
    readonly id: string;
  };
  for (const startedAt = Date.now(); Date.now() - startedAt < longestMs; ) {
    const message = member.messages().find((one) => one.id === id);
    if (message?.attachments.length) return;
    // A failure is private and replaces the progress.
    const isUnderWay = JSON.stringify(message?.components)?.includes("Cancel");
    if (!isUnderWay)
      throw new Error(`not cut out: ${JSON.stringify(member.messages().at(-1)?.embeds)}`);
    await pause(50);
  }
  throw new Error("a picture is still not cut out");
}

/** Fifty a second, until at least `least` were sent and the work is done. */
async function interactions(platform: Platform, least: number, isDone = () => true): Promise<void> {
  const owner = platform.people("owner");
  const pending: Promise<unknown>[] = [];
  for (let n = 0; n < least || !isDone(); n += 1) {
    pending.push(owner.command("connect disconnect").catch(() => undefined));
    await pause(20);
  }
  await Promise.all(pending);
}

/** Answers every cut-out at once, so that only preparing and composing pictures take time. */
async function cannedService(zip: string | undefined) {
  const small = (await photoZip()).zip;
  const large = zip === undefined ? small : await readFile(zip);
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => {
      const body = bytes > 1e6 ? large : small;
      response.writeHead(200, {
        "content-type": "application/zip",
        "content-length": body.length,
        "x-credits-charged": "1",
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1.0`, close: () => server.close() };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

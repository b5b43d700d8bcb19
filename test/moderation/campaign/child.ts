import { openDatabase } from "../../../src/database/index.ts";
import { createMessageRest } from "../../../src/discord/wire/post.ts";
import { createHttp } from "../../../src/http/index.ts";
import { createJobs } from "../../../src/jobs/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import type { ItemRef } from "../../../src/moderation/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { seeded } from "../../support/random.ts";
import { ownRoutes } from "../../support/raw-dispatch.ts";
import { itemsIn } from "../support/rig.ts";
import type { ChildOptions } from "./kill-processes.ts";
import { queueOver } from "./queue-over.ts";
import { createQuickClock } from "./quick-clock.ts";
import { keys } from "./services.ts";

// Started by kill-processes.ts as a separate process: the queue at work, and a person who decides now and then. Prints
// `ready`, and every decision once it is acknowledged.
const options = JSON.parse(process.argv[2] ?? "{}") as ChildOptions;
const { guildId, watchId, seed, decides } = options;
const random = seeded(seed);
const clock = createQuickClock(options.quick);
const store = await openStore({ url: options.storeUrl, keys, now: clock.now });
const database = await openDatabase({ url: options.databaseUrl, now: clock.now });
const log = createLog({
  level: "error",
  secrets: createSecrets(),
  write: (line) => process.stderr.write(line),
});
const jobs = createJobs({ database, clock, random, log });
const rest = createMessageRest({ api: `${options.platformUrl}/api`, version: "10" });
const moderation = queueOver({
  store,
  database,
  jobs,
  clock,
  random,
  log,
  botId: options.botId,
  videoUrl: options.videoUrl,
  rest: rest.setToken(options.platformToken),
  http: createHttp({ random }),
  routes: await ownRoutes(),
  languages: createLanguages(),
  soon: () => random() / 50,
  left: async () => {
    const resetsAt = new Date(clock.now() + 12 * 3_600_000);
    const plenty = 1_000_000;
    return { used: 0, limit: plenty, left: plenty, reserved: 0, blocked: false, resetsAt };
  },
});
jobs.start();
process.stdout.write("ready\n");

const { queue } = moderation.of(guildId);
const by = { userId: "300000000000000001", userName: "Ann" };

async function decideOne(itemId: string): Promise<void> {
  const items: readonly ItemRef[] = [{ watchId, itemId }];
  const kind = random() < 0.5 ? "approve" : "reject";
  const [decided] = await queue.decide({ items, kind, by, from: "card" });
  if (decided?.state !== "pending") return;
  process.stdout.write(`${JSON.stringify({ itemId, kind, userId: by.userId })}\n`);
}

while (decides) {
  await new Promise((resolve) => setTimeout(resolve, random() * 400));
  const shown = (await itemsIn(database, watchId)).filter(
    ({ status, card, digestId }) =>
      status === "open" && (digestId !== undefined || card.state === "posted"),
  );
  for (const { id } of shown) if (random() < 0.2) await decideOne(id);
}

import type { DecisionResult, HeldComment, ItemRef, Watch } from "../../../src/moderation/index.ts";
import { toItemId } from "../../../src/moderation/index.ts";
import { seeded } from "../../support/random.ts";
import type { Life } from "../support/fence.ts";
import { openPlace, type Place, type Process } from "./place.ts";
import { messagesOn, putWatch } from "./services.ts";
import { type Claim, disagreements, isCalm, shown, write } from "./verdict.ts";

export interface CampaignOptions {
  readonly comments: number;
  readonly kills: number;
  /** Share of requests that fail, of YouTube and of Discord. */
  readonly faults: number;
  readonly seed: number;
  /** How many processes live at the same time; one when absent. */
  readonly processes?: number;
  readonly watch?: (place: Place) => Partial<Watch>;
  /** Share of comments that people decide about along the way. */
  readonly decided?: number;
  /** An empty database; a file where absent. */
  readonly databaseUrl?: string | undefined;
}

/** What was found wrong is in words; each list is empty where all is well. */
export interface CampaignResult {
  readonly kills: number;
  /** Of them those in the middle of some work. */
  readonly killedAtWork: number;
  /** Comments that were never shown. */
  readonly lost: readonly string[];
  /** Comments that stand in more than one message. */
  readonly twice: readonly string[];
  /** Decisions that were acknowledged. */
  readonly decisions: number;
  /** What of decisions does not agree: the item, YouTube, the record; and errors of the log. */
  readonly wrong: readonly string[];
  /** Hours of the campaign's own clock. */
  readonly hours: number;
  readonly polls: Readonly<Record<string, number>>;
  /** Warnings and errors of the log, and how often each came. */
  readonly logged: Readonly<Record<string, number>>;
}

const minute = 60_000;
/** In steps: reads, writes and requests. A poll with some cards takes hundreds; each order of size is as likely. */
const longestLife = 10_000;
/** In requests alone, which are few, and the ones whose answers matter. */
const mostRequests = 40;
/** Every open comment is shown within that time once the kills end. */
const restMs = 12 * 60 * minute;
const unitsToRefill = 8_000;
const people = ["Ann", "Bob", "Cleo"].map((userName, n) => ({
  userId: `30000000000000000${n}`,
  userName,
}));

/** Comments come in, people decide, processes are killed; and in the end it is looked at what became of each comment. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const random = seeded(options.seed);
  const { faults, databaseUrl } = options;
  const place = await openPlace({ random, faults, databaseUrl });
  try {
    return await run(place, options, random);
  } finally {
    await place.close();
  }
}

async function run(place: Place, options: CampaignOptions, random: () => number) {
  const { clock, guildId } = place;
  const { comments, kills, processes: count = 1 } = options;
  const watch = await putWatch(place, options.watch?.(place));
  const messages = messagesOn(place.platform, clock.now);
  const startedAt = clock.now();
  const written = new Map<string, string>();
  const claims = new Map<string, Claim>();
  const claimedTwice: string[] = [];
  let killed = 0;
  let killedAtWork = 0;

  const life = (): Life =>
    random() < 0.4
      ? { stepsToLive: Math.ceil(longestLife ** random()) }
      : { requestsToLive: Math.ceil(random() * mostRequests) };
  let alive = Array.from({ length: count }, () => place.start(life()));

  while (killed < kills) {
    // So that the last of them come when the last are killed.
    const due = Math.ceil((comments * (killed + 1)) / kills);
    while (written.size < due) write(place, written);
    await clock.pass(random() * 2 * minute);
    await decide();
    await clock.pass(random() * 3 * minute);
    refill(place);
    const dead = alive.filter(({ fence }) => fence.isDead());
    killedAtWork += dead.length;
    // One that found nothing to do is killed all the same.
    const idle = dead.length === 0 ? alive.slice(0, 1) : [];
    for (const one of idle) one.fence.kill();
    killed += dead.length + idle.length;
    alive = alive.filter(({ fence }) => !fence.isDead());
    while (alive.length < count) alive.push(place.start(life()));
  }
  for (const one of alive) one.fence.kill();
  const last = place.start();
  for (let rest = 0; rest < restMs && !(await isCalm(place, watch, written)); rest += 10 * minute) {
    await clock.pass(10 * minute);
    refill(place);
  }
  await last.close();
  const hours = Math.round((clock.now() - startedAt) / (60 * minute));
  return {
    kills: killed,
    killedAtWork,
    hours,
    polls: Object.fromEntries(place.polls),
    logged: complaints(place.logged),
    ...shown(written, messages),
    decisions: claims.size,
    wrong: [
      ...claimedTwice,
      ...Object.keys(complaints(place.logged)).filter((line) => line.startsWith("error")),
      ...(await disagreements(place, watch, { written, claims })),
    ],
  };

  /** People press on what they see: a handful of cards that they have not decided about. */
  async function decide(): Promise<void> {
    const asked = pick(alive, random);
    if (asked === undefined) return;
    const { queue } = asked.moderation.of(guildId);
    const undecided = [...written.keys()].map(toItemId).filter((id) => !claims.has(id));
    for (let presses = 0; presses < undecided.length * (options.decided ?? 0); presses += 1) {
      const itemId = pick(undecided, random) ?? "";
      const item = await asked.ask(queue.item({ watchId: watch.id, itemId }));
      if (item === undefined || item.status !== "open") continue;
      if (item.digestId !== undefined || item.card.state === "posted") await decideOne(asked, item);
    }
  }

  /** Where several processes live, two people press at the same moment. */
  async function decideOne(asked: Process, { id }: HeldComment): Promise<void> {
    const kind = random() < 0.5 ? "approve" : "reject";
    const pressed = await Promise.all(
      [asked, ...alive.filter((one) => one !== asked)].map((one) => press(one, id, kind)),
    );
    const firsts = pressed.filter((claim) => claim !== undefined);
    if (firsts.length > 1) claimedTwice.push(`two were first about ${id}`);
    if (firsts[0] !== undefined) claims.set(id, firsts[0]);
  }

  async function press(
    asked: Process,
    itemId: string,
    kind: Claim["kind"],
  ): Promise<Claim | undefined> {
    const items: readonly ItemRef[] = [{ watchId: watch.id, itemId }];
    const by = pick(people, random) ?? { userId: "", userName: "" };
    const request = { items, kind, by, from: "card" } as const;
    const answered = asked.moderation.of(guildId).queue.decide(request);
    const decided = await asked.ask(answered.catch((): readonly DecisionResult[] => []));
    return decided?.[0]?.state === "pending" ? { kind, userId: by.userId } : undefined;
  }
}

function refill({ video }: Place): void {
  if (video.quota.spent("units") > unitsToRefill) video.quota.refill();
}

function complaints(logged: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const line of logged) {
    const { level, message, error } = JSON.parse(line) as Record<string, unknown>;
    const { code, message: why } = Object(error) as Record<string, unknown>;
    const what = `${level}: ${message}: ${code ?? why ?? ""}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}

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
  /** The share of requests to YouTube and Discord that fail. */
  readonly faults: number;
  readonly seed: number;
  /** How many processes live at the same time; one when absent. */
  readonly processes?: number;
  readonly watch?: (place: Place) => Partial<Watch>;
  /** The share of comments that people decide about meanwhile. */
  readonly decided?: number;
  /** The address of an empty database; a new file when absent. */
  readonly databaseUrl?: string | undefined;
}

/** Lists of faults describe them in words, and are empty if all is well. */
export interface CampaignResult {
  readonly kills: number;
  /** How many of them were killed in the middle of work. */
  readonly killedAtWork: number;
  /** Comments that were never shown. */
  readonly lost: readonly string[];
  /** Comments that are in more than one message. */
  readonly twice: readonly string[];
  /** How many decisions were acknowledged. */
  readonly decisions: number;
  /** Decisions on which the stored comment, YouTube and the audit log disagree; also errors in the log. */
  readonly wrong: readonly string[];
  /** Hours by the campaign's clock. */
  readonly hours: number;
  readonly polls: Readonly<Record<string, number>>;
  /** Warnings and errors in the log, with how often each occurred. */
  readonly logged: Readonly<Record<string, number>>;
}

const minute = 60_000;
/**
 * In steps: reads, writes and requests. A poll with a few cards takes hundreds; each order of magnitude is equally
 * likely.
 */
const longestLife = 10_000;
/** Counted in requests only: they are few, and it is their answers that matter. */
const mostRequests = 40;
/** By then every open comment must have been shown after the last kill. */
const restMs = 12 * 60 * minute;
const unitsToRefill = 8_000;
const people = ["Ann", "Bob", "Cleo"].map((userName, n) => ({
  userId: `30000000000000000${n}`,
  userName,
}));

/** Comments come in, people decide, and processes are killed; in the end it checks what became of each comment. */
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
    // The last comments come when the last processes are killed.
    const due = Math.ceil((comments * (killed + 1)) / kills);
    while (written.size < due) write(place, written);
    await clock.pass(random() * 2 * minute);
    await decide();
    await clock.pass(random() * 3 * minute);
    refill(place);
    const dead = alive.filter(({ fence }) => fence.isDead());
    killedAtWork += dead.length;
    // If no process died by itself, one that is idle is killed.
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

  /** People press buttons on some of the cards that they see and have not decided about. */
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

  /** If there are several processes, people press in all of them at the same moment. */
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

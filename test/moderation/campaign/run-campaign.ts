import type { Decided, ItemRef } from "../../../src/moderation/index.ts";
import { itemIdOf } from "../../../src/moderation/items.ts";
import type { QueueItem, Watch } from "../../../src/store/index.ts";
import { seeded } from "../../support/random.ts";
import type { Life } from "./fence.ts";
import {
  type LeftMessage,
  messagesOn,
  openPlace,
  type Place,
  type Process,
  watchOf,
} from "./place.ts";

export interface CampaignOptions {
  readonly comments: number;
  readonly kills: number;
  /** Share of requests that fail, on the video service and on the platform. */
  readonly faults: number;
  readonly seed: number;
  /** How many processes live at the same time; one when absent. */
  readonly processes?: number;
  readonly watch?: (place: Place) => Partial<Watch>;
  /** Share of comments that people decide about along the way. */
  readonly decided?: number;
}

/** What was found wrong is in words; each list is empty where all is well. */
export interface CampaignResult {
  readonly kills: number;
  /** Of them those in the middle of some work. */
  readonly killedAtWork: number;
  /** Comments that nobody was shown. */
  readonly lost: readonly string[];
  /** Comments that stand in more than one message. */
  readonly twice: readonly string[];
  /** Decisions that were acknowledged. */
  readonly decisions: number;
  /** What of decisions does not agree: the item, the service, the record; and errors of the log. */
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
/** All that is open is told within that time once nobody is killed any more. */
const restMs = 12 * 60 * minute;
const unitsToRefill = 8_000;
const people = ["Ann", "Bob", "Cleo"].map((userName, n) => ({
  ...{ userId: `30000000000000000${n}`, userName },
}));

/** Comments come in, people decide, processes are killed; and in the end it is looked at what became of each comment. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const random = seeded(options.seed);
  const place = await openPlace({ random, faults: options.faults });
  try {
    return await run(place, options, random);
  } finally {
    await place.close();
  }
}

async function run(place: Place, options: CampaignOptions, random: () => number) {
  const { clock, store, guildId } = place;
  const { comments, kills, processes: count = 1 } = options;
  const watch = watchOf(place, options.watch?.(place));
  await store.moderation.watches.update(guildId, watch.id, () => watch);
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
  for (let rest = 0; rest < restMs && !(await isCalm()); rest += 10 * minute) {
    await clock.pass(10 * minute);
    refill(place);
  }
  await last.close();
  const hours = Math.round((clock.now() - startedAt) / (60 * minute));
  return {
    ...{ kills: killed, killedAtWork, hours, polls: Object.fromEntries(place.polls) },
    logged: complaints(place.logged),
    ...shown(written, messages),
    decisions: claims.size,
    wrong: [
      ...claimedTwice,
      ...Object.keys(complaints(place.logged)).filter((line) => line.startsWith("error")),
      ...(await disagreements(place, watch, { written, claims })),
    ],
  };

  /** Whether everything is where it belongs, as far as the store knows. */
  async function isCalm(): Promise<boolean> {
    const items = await store.moderation.items.list(guildId, watch.id);
    const known = new Set(items.map(({ comment }) => comment.id));
    const isOver = ({ status, card, digestId }: QueueItem) =>
      status !== "pending" &&
      status !== "sending" &&
      (status !== "open" || digestId !== undefined || card.state === "posted");
    return [...written.keys()].every((id) => known.has(id)) && items.every(isOver);
  }

  /** People press on what they see: a handful of cards that they have not decided about. */
  async function decide(): Promise<void> {
    const asked = pick(alive, random);
    if (asked === undefined) return;
    const { queue } = asked.moderation.of(guildId);
    const undecided = [...written.keys()].map(itemIdOf).filter((id) => !claims.has(id));
    for (let presses = 0; presses < undecided.length * (options.decided ?? 0); presses += 1) {
      const itemId = pick(undecided, random) ?? "";
      const item = await asked.ask(queue.item({ watchId: watch.id, itemId }));
      if (item === undefined || item.status !== "open") continue;
      if (item.digestId !== undefined || item.card.state === "posted") await decideOne(asked, item);
    }
  }

  /** Where several processes live, two people press at the same moment. */
  async function decideOne(asked: Process, { id }: QueueItem): Promise<void> {
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
    const decided = await asked.ask(answered.catch((): readonly Decided[] => []));
    return decided?.[0]?.state === "pending" ? { kind, userId: by.userId } : undefined;
  }
}

interface Claim {
  readonly kind: "approve" | "reject";
  readonly userId: string;
}

const wordOf = (n: number) => `kestrel${String(n).padStart(5, "0")}`;

function write({ video }: Place, written: Map<string, string>): void {
  const word = wordOf(written.size);
  const text = `${word} says something that waits`;
  const { id } = video.addComment({
    ...{ text, status: "heldForReview", author: `Visitor ${written.size % 40}` },
  });
  written.set(id, word);
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

function shown(written: ReadonlyMap<string, string>, messages: ReadonlyMap<string, LeftMessage>) {
  const times = new Map<string, number>();
  for (const { text } of messages.values()) {
    for (const word of new Set(text.match(/kestrel\d{5}/gu))) {
      times.set(word, (times.get(word) ?? 0) + 1);
    }
  }
  const words = [...written.values()];
  return {
    lost: words.filter((word) => !times.has(word)),
    twice: words.filter((word) => (times.get(word) ?? 0) > 1),
  };
}

/** What people were told is what the item says, what the service says, and what is on record, once. */
async function disagreements(
  place: Place,
  watch: Watch,
  { written, claims }: { written: ReadonlyMap<string, string>; claims: ReadonlyMap<string, Claim> },
): Promise<readonly string[]> {
  const { store, guildId } = place;
  const entries = await store.moderation.audit.list(guildId);
  const standing = await standings(place, [...written.keys()]);
  // The stand-in's world has some of its own.
  const items = (await store.moderation.items.list(guildId, watch.id)).filter(({ comment }) =>
    written.has(comment.id),
  );
  const wrong: string[] = [];
  if (items.length !== written.size) wrong.push(`${items.length} items of ${written.size}`);
  for (const { id, status, comment, decision } of items) {
    const claim = claims.get(id);
    const ends = entries.filter(
      ({ commentId, act }) =>
        commentId === comment.id && (act === "approved" || act === "rejected"),
    );
    const expected = status in expectations ? expectations[status] : "nothing of the kind";
    const served = standing.get(comment.id);
    const story = `${written.get(comment.id)}: ${status}, ${served}, ${ends.map(({ act }) => act)}`;
    if (served !== expected) wrong.push(`the service: ${story}`);
    const times = status === "approved" || status === "rejected" ? 1 : 0;
    if (ends.length !== times || ends.some(({ act }) => act !== status)) {
      wrong.push(`the record: ${story}`);
    }
    if (claim === undefined) continue;
    const wanted = claim.kind === "approve" ? "approved" : "rejected";
    const by = decision !== undefined && "userId" in decision.by ? decision.by.userId : undefined;
    if (status !== wanted || by !== claim.userId) wrong.push(`the claim ${claim.kind}: ${story}`);
  }
  return wrong;
}

/** What the service tells of a comment; of a rejected one nothing. */
const expectations: Readonly<Partial<Record<QueueItem["status"], string | undefined>>> = {
  open: "heldForReview",
  approved: "published",
  rejected: undefined,
};

async function standings(
  { video, client }: Place,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  video.faults.clear();
  video.quota.refill();
  const found = new Map<string, string>();
  for (let from = 0; from < ids.length; from += 50) {
    const id = ids.slice(from, from + 50);
    const { items } = await client.call("comments.list", { part: ["snippet"], id });
    for (const one of items) {
      if (one.id && one.snippet?.moderationStatus) found.set(one.id, one.snippet.moderationStatus);
    }
  }
  return found;
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}

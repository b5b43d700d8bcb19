import type { QueueAt } from "../parts.ts";
import { type CommentsAfter, type Digest, type HeldComment, refOf } from "../records/index.ts";
import { concernsAll, type Delivered, deliver, mostFaults, placeOf } from "./deliver.ts";
import { putTogether } from "./digests.ts";
import { judgeNew } from "./judge-new.ts";
import { cardOfComment, cardOfDigest, type OutgoingCard } from "./outgoing-card.ts";
import type { AnnounceDeps } from "./parts.ts";
import type { RoleCall } from "./pings.ts";

interface SendOptions extends QueueAt {
  readonly call: RoleCall;
  readonly signal: AbortSignal;
  /** Whether its time is over. */
  readonly isOver: () => boolean;
  /** Done before each message: who has pressed something does not wait for a crowd of new comments. */
  readonly between: () => Promise<void>;
}

/** What came of it. `more`: there was no time for all; `some`: single ones were not taken; `waits`: some may just be on their way. */
export type Sent = "all" | "more" | "some" | "waits";

/** At least as many as a digest may be wanted from on (`/watch set`). */
const pageSize = 100;

/**
 * Judges what is new and sends what is due, the oldest first. One that can't be drawn or is not taken holds up no others.
 * @throws what `Desk.post` throws, where it concerns all; ServiceError `store_unavailable`; the signal's reason.
 */
export async function sendDue(deps: AnnounceDeps, options: SendOptions): Promise<Sent> {
  const { guildId, watch, isOver, signal } = options;
  const counts = { tried: 0, failed: 0, inARow: 0, waiting: 0 };
  let last: unknown;
  for await (const send of messagesDue(deps, options)) {
    if (isOver()) return "more";
    await options.between();
    signal.throwIfAborted();
    counts.tried += 1;
    try {
      if ((await send()) === "waits") counts.waiting += 1;
      counts.inARow = 0;
    } catch (error) {
      counts.failed += 1;
      counts.inARow += 1;
      if (counts.inARow >= mostFaults || concernsAll(error)) throw error;
      deps.log.error("a card was not sent", { guild: guildId, watch: watch.id, error });
      last = error;
    }
  }
  if (counts.failed > 0 && counts.failed === counts.tried) throw last;
  if (counts.failed > 0) return "some";
  return counts.waiting > 0 ? "waits" : "all";
}

/** By pages, each of which is judged and put together before the first of it is sent. */
async function* messagesDue(
  deps: AnnounceDeps,
  options: SendOptions,
): AsyncGenerator<() => Promise<Delivered>> {
  const { guildId, watch } = options;
  const { comments, digests } = deps.records;
  const tried = new Set<string>();
  let after: CommentsAfter | undefined;
  let isCrowd = false;
  do {
    const page = await comments.cardsDue(guildId, { watchId: watch.id, after, limit: pageSize });
    isCrowd = await prepare(deps, options, page, isCrowd);
    for (const digest of await digests.due(guildId, watch.id, pageSize)) {
      if (tried.has(digest.id)) continue;
      tried.add(digest.id);
      yield () => sendDigest(deps, options, digest);
    }
    for (const { id } of page) yield () => sendCard(deps, options, id);
    after = nextAfter(page);
  } while (after !== undefined);
}

function nextAfter(page: readonly HeldComment[]): CommentsAfter | undefined {
  const last = page.length < pageSize ? undefined : page.at(-1);
  return last && { publishedAt: last.comment.publishedAt, id: last.id };
}

/** Asks the rules, and puts together what came at once. Answers whether that was a crowd, to whose last ones the same is done. */
async function prepare(
  deps: AnnounceDeps,
  options: SendOptions,
  page: readonly HeldComment[],
  wasCrowd: boolean,
): Promise<boolean> {
  const { guildId, watch } = options;
  const fresh = page.filter(({ card }) => card.state === "due");
  if (fresh.length === 0) return wasCrowd;
  await judgeNew(deps, options, fresh);
  if (watch.isForum || watch.digestFrom < 1) return false;
  const ids = fresh.map(({ id }) => id);
  const cards = (await deps.records.comments.readAll(guildId, watch.id, ids)).filter(hasOwnCard);
  const isCrowd = wasCrowd || cards.length >= watch.digestFrom;
  if (isCrowd) await putTogether(deps, options, cards);
  return isCrowd;
}

/** What comes back takes the place of a card of its own. */
function hasOwnCard({ card, status, digestId, formerCard }: HeldComment): boolean {
  const isDue = card.state === "due" && status === "open" && digestId === undefined;
  return isDue && formerCard === undefined;
}

async function sendDigest(
  deps: AnnounceDeps,
  options: SendOptions,
  digest: Digest,
): Promise<Delivered> {
  const card = await cardOfDigest(deps, options, digest);
  // What rules did waits for nobody.
  return send(deps, options, { card, isWanted: true, isCalling: digest.acts === undefined });
}

async function sendCard(deps: AnnounceDeps, options: SendOptions, id: string): Promise<Delivered> {
  const { guildId, watch } = options;
  const ref = refOf({ watchId: watch.id, id });
  const held = await deps.records.comments.read(guildId, ref);
  if (held === undefined || held.digestId !== undefined) return "dropped";
  const isWanted = held.status === "open";
  if (held.card.state !== "sending" && (held.card.state !== "due" || !isWanted)) return "dropped";
  const card = await cardOfComment(deps, options, held);
  const delivered = await send(deps, options, { card, isWanted, isCalling: isWanted });
  if (held.formerCard === undefined) return delivered;
  const after = await deps.records.comments.read(guildId, ref);
  if (after?.card.state === "posted") await takeAway(deps, guildId, after);
  return delivered;
}

async function send(
  deps: AnnounceDeps,
  { call }: SendOptions,
  {
    card,
    isWanted,
    isCalling,
  }: { readonly card: OutgoingCard; readonly isWanted: boolean; readonly isCalling: boolean },
): Promise<Delivered> {
  const pingRoleId = isCalling ? await call.roleId() : undefined;
  const delivered = await deliver(deps, card, { isWanted, pingRoleId });
  if (delivered === "posted" && pingRoleId !== undefined) call.made();
  return delivered;
}

/** The card before this one; one that can't be taken away stays, and its buttons lead here too. */
async function takeAway(
  { desk, log, records }: AnnounceDeps,
  guildId: string,
  held: HeldComment,
): Promise<void> {
  const place = held.formerCard && placeOf(held.formerCard);
  try {
    if (place !== undefined) await desk.remove(place);
  } catch (error) {
    log.warn("a former card was not removed", { guild: guildId, error });
  }
  await records.comments.note(guildId, refOf(held), (stored) => {
    if (stored.formerCard?.handle !== held.formerCard?.handle) return stored;
    const { formerCard: _, ...rest } = stored;
    return rest;
  });
}

import { type DeskMessage, type DeskPlace, nonceOf } from "../desk.ts";
import { BotError } from "../errors.ts";
import type { FeedWorkDeps } from "./deps.ts";
import type { FeedRef } from "./feed-records.ts";
import { type Announcement, type Feed, type FeedPlace, isOpen, isWatched } from "./record.ts";
import type { Seen } from "./release.ts";
import type { ClosedPlace } from "./switch-off.ts";

/** One announcement that is due. */
interface DueAnnouncement {
  readonly videoId: string;
  /** As it is now; undefined when nobody can read it any more. */
  readonly seen: Seen | undefined;
  /** Channels and roles that were called just before, and are not called again; it is added to them. */
  readonly called: Set<string>;
}

/**
 * `done`: nothing is left to do. `later`: it is still due. `stopped`: nobody wants to hear of this feed any more.
 * Otherwise nothing can be left in that channel any more.
 */
type SendResult = "done" | "later" | "stopped" | ClosedPlace;

/** A message that another process is perhaps just leaving is not looked for before. */
const doubtfulMs = 120_000;
/** Clocks differ. */
const slackMs = 60_000;

interface Claim {
  readonly feed: Feed;
  readonly announcement: Announcement;
  readonly place: FeedPlace;
  /** It may have been sent before. */
  readonly isDoubtful: boolean;
}

interface OutboxDeps extends FeedWorkDeps {
  /** Of a process before this one nobody knows how far it came. */
  readonly startedAt: number;
}

/**
 * Leaves announcements, each once: it is marked before it is sent, has the same nonce whoever sends it, and where it may
 * have been sent before, the bot looks at its own messages first.
 */
export function createOutbox(given: FeedWorkDeps) {
  const deps: OutboxDeps = { ...given, startedAt: given.database.now() };
  const { database, desk } = deps;

  return async function send(ref: FeedRef, due: DueAnnouncement): Promise<SendResult> {
    const claim = await database.transaction(() => claimOf(deps, ref, due));
    if (typeof claim === "string") return claim;
    const { announcement, place, isDoubtful } = claim;
    const message = messageFor(ref, claim, due);
    let at: DeskPlace;
    try {
      const since = (announcement.triedAt ?? announcement.at) - slackMs;
      const found = isDoubtful ? await desk.find(message, since) : undefined;
      at = found ?? (await desk.post(message));
    } catch (error) {
      return failed(deps, ref, { claim, error });
    }
    // Should this fail, it is looked for before it is sent again.
    await done(deps, ref, { announcement, at });
    due.called.add(targetOf(place));
    return "done";
  };
}

/** Marks it as on its way, with the feed as it is now: people may have changed their minds. */
async function claimOf(
  deps: OutboxDeps,
  ref: FeedRef,
  { videoId, seen }: DueAnnouncement,
): Promise<Claim | "done" | "later" | "stopped"> {
  const { feeds, announcements } = deps;
  const { now } = deps.database;
  const feed = (await feeds.read(ref))?.feed;
  if (feed === undefined || !isWatched(feed)) return "stopped";
  let claim: Claim | "done" | "later" = "done";
  await announcements.change(ref, videoId, (stored) => {
    claim = "done";
    if (stored?.state !== "due") return stored;
    const { card, kind } = stored;
    const isDoubtful = card?.state === "sending";
    if (card !== undefined && isDoubtful && isPerhapsUnderWay(deps, card.since)) {
      claim = "later";
      return stored;
    }
    const place = kind && feed.places[kind];
    if (card === undefined || !isOpen(place) || seen?.state !== "out") return skipped(stored);
    const triedAt = isDoubtful ? (stored.triedAt ?? card.since) : now();
    const sending = { ...card, state: "sending", since: now() } as const;
    const announcement = { ...stored, triedAt, card: sending };
    claim = { feed, announcement, place, isDoubtful };
    return announcement;
  });
  return claim;
}

function isPerhapsUnderWay({ database, startedAt }: OutboxDeps, since: number): boolean {
  return since >= startedAt && database.now() - since <= doubtfulMs;
}

function done(
  { database, feeds, announcements }: OutboxDeps,
  ref: FeedRef,
  {
    announcement: { videoId },
    at: { channelId, messageId },
  }: { readonly announcement: Announcement; readonly at: DeskPlace },
): Promise<void> {
  const { now, transaction } = database;
  return transaction(async () => {
    await announcements.change(ref, videoId, (stored) => {
      if (stored?.card === undefined) return stored;
      const posted = { channelId, messageId, state: "posted", since: now() } as const;
      return { ...stored, state: "done", card: { ...stored.card, ...posted } };
    });
    await feeds.changeProgress(ref, (stored) => ({ ...stored, announcedAt: now() }));
  });
}

async function failed(
  { database, announcements, log }: OutboxDeps,
  ref: FeedRef,
  { claim, error }: { readonly claim: Claim; readonly error: unknown },
): Promise<SendResult> {
  if (!(error instanceof BotError)) throw error;
  const { announcement, place, isDoubtful } = claim;
  const { videoId } = announcement;
  log.warn("an announcement was not left", { guild: ref.guildId, feed: ref.feedId, error });
  if (isClosed(error)) {
    await announcements.change(ref, videoId, (stored) => stored && skipped(stored));
    return { code: error.code, channelId: place.channelId };
  }
  // What may have been left stays marked, so that it is looked for before it is sent again.
  if (error.outcome === "nothing" && !isDoubtful) {
    await announcements.change(ref, videoId, (stored) => {
      if (stored?.card === undefined) return stored;
      const { triedAt: _, ...rest } = stored;
      return { ...rest, card: { ...stored.card, state: "due", since: database.now() } };
    });
  }
  return "later";
}

function skipped({ card: _, triedAt: _at, ...rest }: Announcement): Announcement {
  return { ...rest, state: "skipped" };
}

function targetOf({ channelId, roleId }: FeedPlace): string {
  return `${channelId} ${roleId}`;
}

function isClosed({ code }: BotError): boolean {
  return code === "discord_channel_gone" || code === "discord_channel_closed";
}

function messageFor(
  { guildId }: FeedRef,
  { feed, announcement, place }: Claim,
  { seen, called }: DueAnnouncement,
): DeskMessage {
  const { channelId, roleId, isForum } = place;
  const { kind, videoId, card } = announcement;
  const handle = card?.handle ?? "";
  // What it was taken for is what people chose the place for.
  const video = seen && { ...seen.video, kind: kind ?? seen.video.kind };
  const pings = roleId !== undefined && !called.has(targetOf(place));
  return {
    ...{ guildId, channelId, handle },
    ...(isForum && { isForum }),
    event: "announcement",
    facts: { guildId, feed, announcement, video },
    nonce: nonceOf(feed.id, videoId, handle),
    ...(pings && { pingRoleId: roleId }),
  };
}

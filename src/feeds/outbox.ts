import { type DeskMessage, nonceOf } from "../desk.ts";
import { BotError } from "../errors.ts";
import type { Announcement, Feed, FeedPlace } from "../store/index.ts";
import type { FeedsOptions } from "./parts.ts";
import { isOpen } from "./places.ts";
import type { Seen } from "./release.ts";
import type { FeedRef, Rows } from "./rows.ts";

export interface OutboxParts extends Pick<FeedsOptions, "desk" | "clock" | "log"> {
  readonly rows: Rows;
}

/** One announcement that is due. */
export interface Sending {
  readonly feed: Feed;
  readonly row: Announcement;
  /** As it is now; undefined when nobody can read it any more. */
  readonly seen: Seen | undefined;
  /** Whether a role is called with it. */
  readonly pings: boolean;
}

/** `closed`: nothing can be left in that channel any more. `later`: it is still due. */
export type Sent =
  | { readonly end: "done" | "over"; readonly row: Announcement }
  | { readonly end: "later" }
  | { readonly end: "closed"; readonly code: string; readonly channelId: string };

/** A message that another process is perhaps just leaving is not looked for before. */
const doubtfulMs = 120_000;
/** Clocks differ. */
const slackMs = 60_000;

/**
 * Leaves announcements, each once: it is marked before it is sent, has the same nonce whoever sends it, and where it may
 * have been sent before, the bot looks at its own messages first.
 */
export function createOutbox({ rows, desk, clock, log }: OutboxParts) {
  /** Of a process before this one nobody knows how far it came. */
  const startedAt = clock.now();

  async function send(ref: FeedRef, sending: Sending): Promise<Sent> {
    const { feed, seen } = sending;
    const claim = await claimOf(ref, sending.row);
    if (claim === undefined) return { end: "later" };
    const { row, isDoubtful } = claim;
    const place = row.kind === undefined ? undefined : feed.places[row.kind];
    if (row.state !== "due") return { end: "over", row };
    if (!isOpen(place) || seen?.state !== "out") return over(ref, row);
    try {
      const message = messageFor(ref, { ...sending, row, seen }, place);
      const at = isDoubtful
        ? await desk.find(message, (row.triedAt ?? row.at) - slackMs)
        : undefined;
      const { channelId, messageId } = at ?? (await desk.post(message));
      return await done(ref, row, { channelId, messageId });
    } catch (error) {
      return failed(ref, row, { error, place, isDoubtful });
    }
  }

  /** Marks it as on its way; undefined while somebody else has it. */
  async function claimOf(ref: FeedRef, { videoId }: Announcement) {
    const now = clock.now();
    let isDoubtful = false;
    let isMine = false;
    const row = await rows.changeAnnouncement(ref, videoId, (stored) => {
      isDoubtful = false;
      isMine = true;
      const card = stored?.card;
      if (stored === undefined || stored.state !== "due" || card === undefined) return stored;
      if (card.state === "sending") {
        isMine = card.since < startedAt || now - card.since > doubtfulMs;
        if (!isMine) return stored;
        isDoubtful = true;
      }
      const triedAt = isDoubtful ? (stored.triedAt ?? card.since) : now;
      return { ...stored, triedAt, card: { ...card, state: "sending" as const, since: now } };
    });
    return isMine && row !== undefined ? { row, isDoubtful } : undefined;
  }

  async function done(ref: FeedRef, row: Announcement, at: CardPlace): Promise<Sent> {
    const written = await rows.changeAnnouncement(ref, row.videoId, (stored) => {
      const { card } = stored ?? row;
      if (card === undefined) return stored;
      const posted = { ...card, ...at, state: "posted" as const, since: clock.now() };
      return { ...(stored ?? row), state: "done" as const, card: posted };
    });
    return { end: "done", row: written ?? row };
  }

  async function over(ref: FeedRef, row: Announcement): Promise<Sent> {
    const { card: _, triedAt: _at, ...rest } = row;
    const skipped = { ...rest, state: "skipped" as const };
    await rows.changeAnnouncement(ref, row.videoId, () => skipped);
    return { end: "over", row: skipped };
  }

  async function failed(ref: FeedRef, row: Announcement, how: Failed): Promise<Sent> {
    const { error, place, isDoubtful } = how;
    if (!(error instanceof BotError)) throw error;
    log.warn("an announcement was not left", { guild: ref.guildId, feed: ref.feedId, error });
    if (isClosed(error)) {
      await over(ref, row);
      return { end: "closed", code: error.code, channelId: place.channelId };
    }
    // What may have been left stays marked, so that it is looked for before it is sent again.
    if (error.outcome === "nothing" && !isDoubtful) {
      await rows.changeAnnouncement(ref, row.videoId, (stored) => {
        const { triedAt: _, ...rest } = stored ?? row;
        if (rest.card === undefined) return stored;
        return { ...rest, card: { ...rest.card, state: "due" as const, since: clock.now() } };
      });
    }
    return { end: "later" };
  }

  return { send };
}

interface CardPlace {
  readonly channelId: string;
  readonly messageId: string;
}

interface Failed {
  readonly error: unknown;
  readonly place: FeedPlace;
  readonly isDoubtful: boolean;
}

function isClosed({ code }: BotError): boolean {
  return code === "discord_channel_gone" || code === "discord_channel_closed";
}

interface Drawn extends Sending {
  readonly seen: Seen;
}

function messageFor(
  { guildId }: FeedRef,
  { feed, row, seen, pings }: Drawn,
  { channelId, roleId, isForum }: FeedPlace,
): DeskMessage {
  const handle = row.card?.handle ?? "";
  // What it was taken for is what people chose the place for.
  const video = { ...seen.video, kind: row.kind ?? seen.video.kind };
  return {
    ...{ guildId, channelId, handle },
    ...(isForum && { isForum }),
    event: "announcement",
    facts: { guildId, feed, announcement: row, video },
    nonce: nonceOf(feed.id, row.id, handle),
    ...(pings && roleId !== undefined && { pingRoleId: roleId }),
  };
}

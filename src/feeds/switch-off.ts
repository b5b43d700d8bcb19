import type { FeedsDeps } from "./deps.ts";
import type { FeedRecords, FeedRef } from "./feed-records.ts";
import { kindsIn } from "./places.ts";
import type { Feed, FeedPlace, ReleaseKind, SwitchedOff } from "./record.ts";
import type { FeedEvents } from "./types.ts";

export interface SwitchDeps extends Pick<FeedsDeps, "tell" | "database"> {
  readonly feeds: FeedRecords;
}

interface Closed {
  readonly code: string;
  readonly channelId: string;
}

export type Switch = ReturnType<typeof createSwitch>;

/** Switches off what can't go on, and tells of it: also after a restart, should one have come between. */
export function createSwitch({ feeds, tell, database }: SwitchDeps) {
  /** Tells what a former process was not able to tell. */
  async function tellUntold(ref: FeedRef, feed: Feed): Promise<void> {
    const untold = untoldOf(ref.guildId, feed);
    for (const facts of untold) await tell({ name: "feed-off", facts });
    if (untold.length > 0) {
      await feeds.changeFeed(ref, (stored) => stored && asTold(stored, feed));
    }
  }

  async function changed(ref: FeedRef, make: (feed: Feed, off: SwitchedOff) => Feed, code: string) {
    const off = { at: database.now(), code };
    const feed = await feeds.changeFeed(ref, (stored) => stored && make(stored, off));
    if (feed !== undefined) await tellUntold(ref, feed);
  }

  return {
    tellUntold,
    off: (ref: FeedRef, code: string) =>
      changed(ref, (feed, off) => (feed.off === undefined ? { ...feed, off } : feed), code),
    placeOff: (ref: FeedRef, { code, channelId }: Closed) =>
      changed(ref, (feed, off) => withPlaces(feed, channelId, off), code),
  };
}

/** As people set it, with nothing switched off by the bot. */
export function switchedOn({ off: _, ...feed }: Feed): Feed {
  const places = mapped(feed.places, ({ off: _off, ...place }) => place);
  return { ...feed, places };
}

function withPlaces(feed: Feed, channelId: string, off: SwitchedOff): Feed {
  const places = mapped(feed.places, (place) =>
    place.channelId === channelId && place.off === undefined ? { ...place, off } : place,
  );
  return { ...feed, places };
}

type Facts = FeedEvents["feed-off"];

/** Of one feed; places in the same channel are told together. */
function untoldOf(guildId: string, feed: Feed): readonly Facts[] {
  const shown = switchedOn(feed);
  const own = feed.off !== undefined && feed.off.isTold === undefined ? [feed.off.code] : [];
  const closed = new Map(
    placesOf(feed).flatMap(([, { channelId, off }]) =>
      off === undefined || off.isTold ? [] : [[channelId, off.code] as const],
    ),
  );
  return [
    ...own.map((code) => ({ guildId, feed: shown, code })),
    ...[...closed].map(([channelId, code]) => ({
      ...{ guildId, feed: shown, code },
      place: { channelId, kinds: kindsIn(feed, channelId) },
    })),
  ];
}

/** Only what was told, should more have been switched off meanwhile. */
function asTold(stored: Feed, told: Feed): Feed {
  const places = mapped(stored.places, (place, kind) => {
    const { off } = place;
    const isSame = off !== undefined && told.places[kind]?.off?.at === off.at;
    return isSame ? { ...place, off: { ...off, isTold: true } } : place;
  });
  const { off } = stored;
  const isSame = off !== undefined && told.off?.at === off.at;
  return { ...stored, places, ...(isSame && { off: { ...off, isTold: true as const } }) };
}

function placesOf({ places }: Feed): readonly (readonly [ReleaseKind, FeedPlace])[] {
  // The record's own keys.
  return Object.entries(places) as [ReleaseKind, FeedPlace][];
}

function mapped(
  places: Feed["places"],
  make: (place: FeedPlace, kind: ReleaseKind) => FeedPlace,
): Feed["places"] {
  return Object.fromEntries(
    placesOf({ places } as Feed).map(([kind, place]) => [kind, make(place, kind)]),
  );
}

import type { FeedRef } from "./feed-records.ts";
import type { Feed, FeedNotifications, FeedPlace } from "./record.ts";
import type { ReleaseKind } from "./release.ts";
import type { FeedsRoom } from "./room.ts";

/** A Discord channel in which the bot can no longer post. */
export interface ClosedPlace {
  readonly code: string;
  readonly channelId: string;
}

/** Switches off a feed that no longer works, unless people have resumed it since it was read, and notifies people. */
export function switchOff(
  room: FeedsRoom,
  ref: FeedRef,
  { feed: { addedAt }, code }: { readonly feed: Feed; readonly code: string },
): Promise<void> {
  const off = { at: room.database.now(), code };
  return change(room, ref, (feed) =>
    feed.off === undefined && feed.addedAt === addedAt ? { ...feed, off } : feed,
  );
}

/** The same for the places in one Discord channel. */
export function switchPlaceOff(
  room: FeedsRoom,
  ref: FeedRef,
  { code, channelId }: ClosedPlace,
): Promise<void> {
  const off = { at: room.database.now(), code };
  return change(room, ref, (feed) => ({
    ...feed,
    places: mapPlaces(feed.places, (place) =>
      place.channelId === channelId && place.off === undefined ? { ...place, off } : place,
    ),
  }));
}

/** The same for Discord's events of a feed. */
export function switchEventsOff(room: FeedsRoom, ref: FeedRef, code: string): Promise<void> {
  const eventsOff = { at: room.database.now(), code };
  return change(room, ref, (feed) =>
    feed.streams === undefined || feed.streams.eventsOff !== undefined
      ? feed
      : { ...feed, streams: { ...feed.streams, eventsOff } },
  );
}

async function change(room: FeedsRoom, ref: FeedRef, make: (feed: Feed) => Feed): Promise<void> {
  const feed = await room.feeds.changeFeed(ref, (stored) => stored && make(stored));
  if (feed !== undefined) await notifyOfSwitchedOff(room, ref, feed);
}

/** Notifies people of what was switched off, including what an earlier process could not notify them of. */
export async function notifyOfSwitchedOff(
  { feeds, notify }: FeedsRoom,
  ref: FeedRef,
  feed: Feed,
): Promise<void> {
  const notices = notificationsFor(ref.guildId, feed);
  for (const facts of notices) await notify({ name: "feed-off", facts });
  if (notices.length > 0) await feeds.changeFeed(ref, (stored) => stored && mark(stored, feed));
}

/** The feed as people set it, without anything that the bot switched off. */
export function withoutSwitchOff(feed: Feed): Feed {
  const places = mapPlaces(feed.places, (place) => ({ ...place, off: undefined }));
  const streams = feed.streams && { ...feed.streams, eventsOff: undefined };
  return { ...feed, off: undefined, places, ...(streams && { streams }) };
}

/** The notifications for one feed. Places in the same channel share one. */
function notificationsFor(guildId: string, feed: Feed): readonly FeedNotifications["feed-off"][] {
  const about = { guildId, feed: withoutSwitchOff(feed) };
  const { eventsOff } = feed.streams ?? {};
  const closed = new Map<string, string>();
  for (const [, { channelId, off }] of placeEntries(feed)) {
    if (off !== undefined && !off.isTold) closed.set(channelId, off.code);
  }
  return [
    ...(feed.off !== undefined && !feed.off.isTold ? [{ ...about, code: feed.off.code }] : []),
    ...(eventsOff !== undefined && !eventsOff.isTold
      ? [{ ...about, code: eventsOff.code, isEvents: true as const }]
      : []),
    ...[...closed].map(([channelId, code]) => {
      const places = placeEntries(feed).filter(([, place]) => place.channelId === channelId);
      return { ...about, code, place: { channelId, kinds: places.map(([kind]) => kind) } };
    }),
  ];
}

/** Marks only what people were notified of; more may have been switched off meanwhile. */
function mark(stored: Feed, notified: Feed): Feed {
  const places = mapPlaces(stored.places, (place, kind) => {
    const { off } = place;
    const isSame = off !== undefined && notified.places[kind]?.off?.at === off.at;
    return isSame ? { ...place, off: { ...off, isTold: true } } : place;
  });
  const { off } = stored;
  const isSame = off !== undefined && notified.off?.at === off.at;
  const { eventsOff } = stored.streams ?? {};
  const isSameEvents = eventsOff !== undefined && notified.streams?.eventsOff?.at === eventsOff.at;
  return {
    ...stored,
    places,
    ...(isSame && { off: { ...off, isTold: true as const } }),
    ...(stored.streams &&
      isSameEvents && {
        streams: { ...stored.streams, eventsOff: { ...eventsOff, isTold: true as const } },
      }),
  };
}

function placeEntries({ places }: Pick<Feed, "places">) {
  return Object.entries(places) as [ReleaseKind, FeedPlace][]; // the record's own keys
}

function mapPlaces(
  places: Feed["places"],
  make: (place: FeedPlace, kind: ReleaseKind) => FeedPlace,
): Feed["places"] {
  return Object.fromEntries(
    placeEntries({ places }).map(([kind, place]) => [kind, make(place, kind)]),
  );
}

import type { FeedWorkDeps } from "./deps.ts";
import type { FeedRef } from "./feed-records.ts";
import type { Feed, FeedPlace, ReleaseKind } from "./record.ts";
import type { FeedEvents } from "./types.ts";

type SwitchDeps = Pick<FeedWorkDeps, "feeds" | "tell" | "database">;

/** A channel of Discord's that nothing can be left in any more. */
export interface ClosedPlace {
  readonly code: string;
  readonly channelId: string;
}

/** Switches off a feed that can't go on, and tells of it. */
export function switchOff(deps: SwitchDeps, ref: FeedRef, code: string): Promise<void> {
  const off = { at: deps.database.now(), code };
  return change(deps, ref, (feed) => (feed.off === undefined ? { ...feed, off } : feed));
}

/** The same for what is announced in one channel of Discord's. */
export function switchPlaceOff(
  deps: SwitchDeps,
  ref: FeedRef,
  { code, channelId }: ClosedPlace,
): Promise<void> {
  const off = { at: deps.database.now(), code };
  const close = (place: FeedPlace) =>
    place.channelId === channelId && place.off === undefined ? { ...place, off } : place;
  return change(deps, ref, (feed) => ({ ...feed, places: mapped(feed.places, close) }));
}

async function change(deps: SwitchDeps, ref: FeedRef, make: (feed: Feed) => Feed): Promise<void> {
  const feed = await deps.feeds.changeFeed(ref, (stored) => stored && make(stored));
  if (feed !== undefined) await tellUntold(deps, ref, feed);
}

/** Tells what was switched off and not told of: also what a former process was not able to tell. */
export async function tellUntold(
  { feeds, tell }: SwitchDeps,
  ref: FeedRef,
  feed: Feed,
): Promise<void> {
  const untold = untoldOf(ref.guildId, feed);
  for (const facts of untold) await tell({ name: "feed-off", facts });
  if (untold.length > 0) await feeds.changeFeed(ref, (stored) => stored && asTold(stored, feed));
}

/** As people set it, with nothing switched off by the bot. */
export function switchedOn({ off: _, ...feed }: Feed): Feed {
  const places = mapped(feed.places, ({ off: _off, ...place }) => place);
  return { ...feed, places };
}

/** Of one feed; places in the same channel are told together. */
function untoldOf(guildId: string, feed: Feed): readonly FeedEvents["feed-off"][] {
  const told = { guildId, feed: switchedOn(feed) };
  const closed = new Map<string, string>();
  for (const [, { channelId, off }] of placesOf(feed)) {
    if (off !== undefined && !off.isTold) closed.set(channelId, off.code);
  }
  return [
    ...(feed.off !== undefined && !feed.off.isTold ? [{ ...told, code: feed.off.code }] : []),
    ...[...closed].map(([channelId, code]) => {
      const places = placesOf(feed).filter(([, place]) => place.channelId === channelId);
      return { ...told, code, place: { channelId, kinds: places.map(([kind]) => kind) } };
    }),
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

function placesOf({
  places,
}: Pick<Feed, "places">): readonly (readonly [ReleaseKind, FeedPlace])[] {
  // The record's own keys.
  return Object.entries(places) as [ReleaseKind, FeedPlace][];
}

function mapped(
  places: Feed["places"],
  make: (place: FeedPlace, kind: ReleaseKind) => FeedPlace,
): Feed["places"] {
  return Object.fromEntries(placesOf({ places }).map(([kind, place]) => [kind, make(place, kind)]));
}

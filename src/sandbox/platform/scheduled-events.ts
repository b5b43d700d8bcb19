import { GuildScheduledEventStatus as Status } from "discord-api-types/v10";
import { eventStatus, type ShownEvent } from "./protocol.ts";
import type { PlatformState, StoredEvent } from "./state.ts";

/** Those that are scheduled or active, in the order of their starts. */
export function openEvents(state: PlatformState): readonly StoredEvent[] {
  const now = state.now();
  return [...state.events.values()]
    .filter((event) => eventStatus(event, now) <= Status.Active)
    .sort((one, other) => one.startsAt - other.startsAt);
}

/** As Discord's API shows it. */
export function describeEvent(state: PlatformState, event: StoredEvent): object {
  const { guildId, bot } = state.guild;
  const { id, name, description, location, startsAt, endsAt, cover } = event;
  return {
    id,
    guild_id: guildId,
    channel_id: null,
    creator_id: bot.id,
    creator: bot,
    name,
    description,
    image: cover?.hash ?? null,
    scheduled_start_time: new Date(startsAt).toISOString(),
    scheduled_end_time: new Date(endsAt).toISOString(),
    status: eventStatus(event, state.now()),
    entity_type: 3,
    entity_id: null,
    entity_metadata: { location },
    recurrence_rule: null,
    privacy_level: 2,
    guild_scheduled_event_exceptions: [],
  };
}

/** As the page shows them: those that are over as well. */
export function shownEvents(state: PlatformState): readonly ShownEvent[] {
  return [...state.events.values()].map((event) => ({
    id: event.id,
    name: event.name,
    description: event.description,
    location: event.location,
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    status: event.status,
    cover: event.cover && `/guild-events/${event.id}/${event.cover.hash}.png`,
  }));
}

/** Tells the page and the bot. */
export function sendEvents(
  state: PlatformState,
  event: StoredEvent,
  name: "CREATE" | "UPDATE" | "DELETE",
): void {
  state.publish({ type: "events", events: shownEvents(state) });
  state.dispatch({ name: `GUILD_SCHEDULED_EVENT_${name}`, data: describeEvent(state, event) });
}

import { createHash } from "node:crypto";
import type { APIGuildScheduledEvent, REST } from "discord.js";
import {
  type RESTPatchAPIGuildScheduledEventJSONBody as EventChanges,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  Routes,
  GuildScheduledEventStatus as Status,
} from "discord-api-types/v10";
import { createCache } from "../../../cache.ts";
import { InputError } from "../../../errors.ts";
import type { ScheduledEvent, ScheduledEvents } from "../../../scheduled-events.ts";
import { cut, oneLine, plain, visible } from "../../draw/text.ts";
import { askDiscord } from "../channel-messages/failure.ts";
import type { Services } from "../services.ts";
import { eventRefusal, isAboutCover, isFinalAlready } from "./failure.ts";
import { readCover } from "./read-cover.ts";

interface ScheduledEventsDeps {
  /** Of `createOnceRest`: an event must not be made twice, and nobody waits an hour for an empty bucket. */
  readonly rest: Pick<REST, "get" | "post" | "patch">;
  /** The user that owns the events this bot makes. */
  readonly botId: string;
  readonly services: Pick<Services, "http" | "log" | "now" | "random">;
}

/** Each but the first leads from the one before it; `over` and `cancelled` can't be left. */
const steps = {
  scheduled: [],
  active: [Status.Active],
  over: [Status.Active, Status.Completed],
  cancelled: [Status.Canceled],
} as const satisfies Record<ScheduledEvent["state"], readonly Status[]>;
const stepsWhenActive = {
  ...steps,
  active: [],
  over: [Status.Completed],
  cancelled: [Status.Completed],
};

const maxCovers = 5_000;

/** Events that take place elsewhere. */
export function createScheduledEvents(deps: ScheduledEventsDeps): ScheduledEvents {
  const { rest, botId, services } = deps;
  const { now } = services;
  /** Digests of the pictures that were sent, so that one is not sent again with every change. */
  const covers = createCache<string>({ maxSize: maxCovers });

  const look = <T>(route: `/${string}`) =>
    askDiscord(
      { what: "look", refusal: eventRefusal },
      () => rest.get(route) as Promise<T>,
      services,
    );

  /** Nothing happens to an event that has ended meanwhile. */
  async function patch(route: `/${string}`, body: EventChanges): Promise<void> {
    const send = () =>
      rest.patch(route, { body }).catch((error: unknown) => {
        if (!isFinalAlready(error)) throw error;
      });
    await askDiscord({ what: "edit", refusal: eventRefusal }, send, services);
  }

  /** Sends a request with the picture, and without it where Discord does not take it. */
  async function withCover<T>(
    { pictureUrl }: ScheduledEvent,
    known: string | undefined,
    send: (cover: { readonly image?: string }) => Promise<T>,
  ): Promise<{ readonly answer: T; readonly digest?: string }> {
    const image = pictureUrl && (await readCover(pictureUrl, services));
    if (!image) return { answer: await send({}) };
    const digest = createHash("sha256").update(image).digest("base64");
    if (digest === known) return { answer: await send({}) };
    try {
      return { answer: await send({ image }), digest };
    } catch (error) {
      if (!isAboutCover(error)) throw error;
      services.log.info("Discord did not take an event's picture", { url: pictureUrl, error });
      return { answer: await send({}), digest };
    }
  }

  /** Makes an event, as it was just read, what it should be. */
  async function update(found: APIGuildScheduledEvent, event: ScheduledEvent): Promise<void> {
    if (isFinal(found)) return;
    const { id, guild_id: guildId } = found;
    const route = Routes.guildScheduledEvent(guildId, id);
    const hasBegun = event.state === "scheduled" && event.startsAt <= now();
    const state = hasBegun ? "active" : event.state;
    if (state === "scheduled" || state === "active") {
      const changes = changesOf(found, { ...event, state }, now());
      const { digest } = await withCover(event, covers.get(id), async (cover) => {
        const body = { ...changes, ...cover };
        if (Object.keys(body).length > 0) await patch(route, body);
      });
      if (digest !== undefined) covers.set(id, digest);
    }
    const wanted = found.status === Status.Active ? stepsWhenActive : steps;
    for (const status of wanted[state]) await patch(route, { status });
  }

  return {
    async create(guildId, event) {
      if (event.state === "over" || event.state === "cancelled") {
        throw new TypeError("an event that has ended can't be made");
      }
      const body = { ...external, ...wordsOf(event), ...timesOf(event, now()) };
      const route = Routes.guildScheduledEvents(guildId);
      const request = { what: "post", refusal: eventRefusal, isOnce: true } as const;
      const { answer, digest } = await withCover(event, undefined, (cover) => {
        const send = () => rest.post(route, { body: { ...body, ...cover } });
        return askDiscord(request, send as () => Promise<{ readonly id: string }>, services);
      });
      if (digest !== undefined) covers.set(answer.id, digest);
      return answer.id;
    },
    async change(guildId, eventId, event) {
      const route = Routes.guildScheduledEvent(guildId, eventId);
      const found = await look<APIGuildScheduledEvent>(route);
      try {
        await update(found, event);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const later = await look<APIGuildScheduledEvent>(route);
        if (later.status === found.status) throw error;
        // It has begun by itself since it was read, and Discord refuses another start then.
        await update(later, event);
      }
    },
    async find(guildId, url) {
      const route = Routes.guildScheduledEvents(guildId);
      const all = await look<readonly APIGuildScheduledEvent[]>(route);
      const { location } = placeOf(url);
      const own = all.filter((one) => one.creator_id === botId && !isFinal(one));
      return own.find(({ entity_metadata: place }) => place?.location === location)?.id;
    },
  };
}

/** https://docs.discord.com/developers/resources/guild-scheduled-event#create-guild-scheduled-event */
const longest = { name: 100, description: 1_000, location: 100 } as const;

const external = {
  entity_type: GuildScheduledEventEntityType.External,
  privacy_level: GuildScheduledEventPrivacyLevel.GuildOnly,
} as const;

function wordsOf({ name, description = "", url }: ScheduledEvent) {
  const about = cut(plain(description.trim()), longest.description);
  return {
    name: visible(cut(oneLine(name), longest.name)),
    ...(about !== "" && { description: about }),
    entity_metadata: placeOf(url),
  };
}

function placeOf(url: string) {
  return { location: cut(url, longest.location) };
}

/** A start must lie ahead by Discord's clock when the request arrives there. The event begins by itself then. */
const leadMs = 30_000;
/** An end must lie ahead, and after the start. */
const shortestMs = 60_000;
/** Dates far ahead make Discord fail: discord/discord-api-docs#5340. */
const furthestMs = 365 * 24 * 3_600_000;

function timesOf({ startsAt, endsAt }: ScheduledEvent, now: number) {
  const start = clamp(startsAt, now + leadMs, now + furthestMs);
  return {
    scheduled_start_time: iso(start),
    scheduled_end_time: iso(endAfter(start, endsAt, now)),
  };
}

function endAfter(start: number, endsAt: number, now: number): number {
  return clamp(endsAt, Math.max(start, now) + shortestMs, now + 2 * furthestMs);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** The fields in which an event that has not ended differs from what it should be. */
function changesOf(
  found: APIGuildScheduledEvent,
  event: ScheduledEvent,
  now: number,
): EventChanges {
  const { name, description = null, entity_metadata } = { ...wordsOf(event) };
  const changes: EventChanges = {};
  if (found.name !== name) changes.name = name;
  if ((found.description ?? null) !== description) changes.description = description;
  if (found.entity_metadata?.location !== entity_metadata.location) {
    changes.entity_metadata = entity_metadata;
  }
  let start = Date.parse(found.scheduled_start_time);
  // The start of one that has begun is history.
  const mayMove = event.state === "scheduled" && found.status === Status.Scheduled;
  if (mayMove && !isSameTime(start, event.startsAt)) {
    start = Date.parse(timesOf(event, now).scheduled_start_time);
    changes.scheduled_start_time = iso(start);
  }
  const end = endAfter(start, event.endsAt, now);
  if (!isSameTime(Date.parse(found.scheduled_end_time ?? ""), end)) {
    changes.scheduled_end_time = iso(end);
  }
  return changes;
}

/** Discord may round times. */
function isSameTime(one: number, other: number): boolean {
  return Math.abs(one - other) < 1_000;
}

function isFinal({ status }: APIGuildScheduledEvent): boolean {
  return status === Status.Completed || status === Status.Canceled;
}

import { createHash } from "node:crypto";
import { GuildScheduledEventStatus as Status } from "discord-api-types/v10";
import { Hono } from "hono";
import { readDimensions } from "../../dimensions.ts";
import { serverRights } from "../channel-access.ts";
import { anything, type Check, object, oneOfValues, required, string } from "../check/check.ts";
import { isHeld } from "../permissions.ts";
import { eventStatus } from "../protocol.ts";
import { demand, failField, rejection } from "../rejection.ts";
import { describeEvent, openEvents, sendEvents } from "../scheduled-events.ts";
import type { EventCover, PlatformState, StoredEvent } from "../state.ts";
import { bodyFields, type RestContext, type RestEnv, readParam } from "./request.ts";

/** Scheduled and active ones: https://docs.discord.com/developers/resources/guild-scheduled-event */
const maxEvents = 100;
const coverBytes = 10 * 1_024 * 1_024;
/** Dates that are decades ahead make Discord fail: discord/discord-api-docs#5340. */
const furthestMs = 5 * 365 * 24 * 3_600_000;

const time: Check = (value, report) => {
  if (typeof value === "string" && !Number.isNaN(Date.parse(value))) return;
  report.fail("DATE_TIME_TYPE_PARSE", `Could not parse ${String(value)}. Should be ISO8601.`);
};
const nothing: Check = (_, report) => report.fail("BASE_TYPE_CHOICES", "Value must be one of {}.");

const fields = {
  name: string(1, 100),
  description: string(0, 1_000),
  // Read where it is stored.
  image: anything,
  scheduled_start_time: time,
  scheduled_end_time: time,
  privacy_level: oneOfValues([2]),
  // There are no voice or stage channels here.
  entity_type: oneOfValues([3]),
  channel_id: nothing,
  recurrence_rule: nothing,
  entity_metadata: object({ location: required(string(1, 100)) }),
} as const;

const newEvent = object({
  ...fields,
  name: required(fields.name),
  scheduled_start_time: required(time),
  scheduled_end_time: required(time),
  privacy_level: required(fields.privacy_level),
  entity_type: required(fields.entity_type),
  entity_metadata: required(fields.entity_metadata),
});
const changedEvent = object({ ...fields, status: oneOfValues([1, 2, 3, 4]) });

const steps: Partial<Readonly<Record<Status, readonly Status[]>>> = {
  [Status.Scheduled]: [Status.Active, Status.Canceled],
  [Status.Active]: [Status.Completed],
};

/** Events of the server. Only the real one has them; simulated servers are as unknown ones. */
export function scheduledEventRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const all = "/:guildId/scheduled-events";
  const one = `${all}/:eventId`;

  app.use(`${all}/*`, (c, next) => {
    const { guildId } = state.guild;
    if (readParam(c, "guildId") !== guildId || !state.guildIds.has(guildId)) {
      throw rejection("unknownGuild");
    }
    const held = serverRights(state, "bot");
    const mayMake = isHeld(held, "createEvents");
    // All of them are the bot's own, which the right to make them is enough to change.
    const mayChange = mayMake || isHeld(held, "manageEvents");
    const isAllowed = { GET: true, POST: mayMake }[c.req.method] ?? mayChange;
    if (!isAllowed) throw rejection("missingPermissions");
    return next();
  });
  app.get(all, (c) => c.json(openEvents(state).map((event) => shown(state, c, event))));
  app.post(all, (c) => c.json(describeEvent(state, create(state, c))));
  app.get(one, (c) => c.json(shown(state, c, wanted(state, c))));
  app.patch(one, (c) => c.json(describeEvent(state, change(state, c))));
  app.delete(one, (c) => {
    const event = wanted(state, c);
    state.events.delete(event.id);
    sendEvents(state, event, "DELETE");
    return c.body(null, 204);
  });
  app.get(`${one}/users`, (c) => {
    wanted(state, c);
    return c.json([]);
  });
  return app;
}

function shown(state: PlatformState, c: RestContext, event: StoredEvent): object {
  const count = c.req.query("with_user_count") === "true" ? { user_count: 0 } : {};
  return { ...describeEvent(state, event), ...count };
}

function wanted(state: PlatformState, c: RestContext): StoredEvent {
  const event = state.events.get(readParam(c, "eventId"));
  if (event === undefined) throw rejection("unknownEvent");
  return event;
}

function create(state: PlatformState, c: RestContext): StoredEvent {
  const body = bodyFields(c);
  demand(newEvent, body);
  const times = readTimes(body, { startsAt: 0, endsAt: 0 });
  if (times.startsAt <= state.now())
    failStart("SCHEDULE_PAST", "Cannot schedule event in the past.");
  demandOrder(state, times);
  if (openEvents(state).length >= maxEvents) throw rejection("tooManyEvents", maxEvents);
  const event: StoredEvent = {
    id: state.nextId(),
    name: "",
    description: null,
    location: "",
    status: Status.Scheduled,
    cover: undefined,
    ...times,
    ...readWords(body),
    ...readCover(body),
  };
  state.events.set(event.id, event);
  sendEvents(state, event, "CREATE");
  return event;
}

function change(state: PlatformState, c: RestContext): StoredEvent {
  const event = wanted(state, c);
  const body = bodyFields(c);
  demand(changedEvent, body);
  const before = eventStatus(event, state.now());
  if (before >= Status.Completed) throw rejection("finishedEvent");
  const status = body.status == null ? before : (Number(body.status) as Status);
  if (status !== before && steps[before]?.includes(status) !== true) {
    failField(
      ["status"],
      "BASE_TYPE_CHOICES",
      `An event of status ${before} can't have ${status}.`,
    );
  }
  const times = readTimes(body, event);
  if (body.scheduled_start_time != null) {
    if (before !== Status.Scheduled) {
      failStart("SCHEDULE_INVALID_START_BY_STATUS", "Cannot update start time of a started event.");
    }
    if (times.startsAt <= state.now()) {
      failStart("SCHEDULE_PAST", "Cannot schedule event in the past.");
    }
  }
  demandOrder(state, times);
  Object.assign(event, times, readWords(body), readCover(body), { status });
  sendEvents(state, event, "UPDATE");
  return event;
}

function failStart(code: string, message: string): never {
  return failField(["scheduled_start_time"], `GUILD_SCHEDULED_EVENT_${code}`, message);
}

type EventTimes = Pick<StoredEvent, "startsAt" | "endsAt">;
type EventBody = Readonly<Record<string, unknown>>;

function readTimes(body: EventBody, { startsAt, endsAt }: EventTimes): EventTimes {
  const { scheduled_start_time: start, scheduled_end_time: end } = body;
  return {
    startsAt: start == null ? startsAt : Date.parse(String(start)),
    endsAt: end == null ? endsAt : Date.parse(String(end)),
  };
}

function demandOrder(state: PlatformState, { startsAt, endsAt }: EventTimes): void {
  if (endsAt <= Math.max(startsAt, state.now())) {
    failField(
      ["scheduled_end_time"],
      "GUILD_SCHEDULED_EVENT_END_BEFORE_START",
      "End time must be after the start time.",
    );
  }
  if (endsAt > state.now() + furthestMs) throw rejection("internalError");
}

function readWords(body: EventBody): Partial<StoredEvent> {
  const place = body.entity_metadata as { readonly location: string } | null | undefined;
  return {
    ...(body.name != null && { name: String(body.name).trim() }),
    ...(body.description !== undefined && {
      description: body.description == null ? null : String(body.description).trim() || null,
    }),
    ...(place != null && { location: place.location.trim() }),
  };
}

function readCover({ image }: EventBody): { readonly cover?: EventCover | undefined } {
  if (image === undefined) return {};
  if (image === null) return { cover: undefined };
  const [, base64 = ""] = /^data:image\/[a-z]+;base64,(.+)$/su.exec(String(image)) ?? [];
  const data = new Uint8Array(Buffer.from(base64, "base64"));
  if (data.byteLength > coverBytes) throw rejection("assetTooLarge", coverBytes);
  // Judged by its bytes, whatever its address says it is.
  const { type } =
    readDimensions(data) ?? failField(["image"], "IMAGE_INVALID", "Invalid image data");
  return { cover: { hash: createHash("md5").update(data).digest("hex"), type, data } };
}

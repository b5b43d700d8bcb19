import type { IncomingMessage } from "node:http";
import type { APIMessage } from "discord-api-types/v10";
import { Hono } from "hono";
import type { WebSocket } from "ws";
import type { PersonName } from "../types.ts";
import { allChannels, directChannelOf, isEventFor, maySee } from "./channel-access.ts";
import { pageChannel } from "./channel-changes.ts";
import {
  anything,
  array,
  type Check,
  createReport,
  exactString,
  object,
  oneOfValues,
  required,
} from "./check/check.ts";
import type { ClientActions } from "./client/client-actions.ts";
import { fileTooLarge } from "./client/pending-uploads.ts";
import { isReachable } from "./endpoint/application-endpoints.ts";
import { shownExpressions } from "./expressions.ts";
import { ClientRefusal, InteractionFailed } from "./interaction.ts";
import { localeNames } from "./locales.ts";
import type { HelloEvent, PageChannel, PageEvent } from "./protocol.ts";
import { shownReactions } from "./reactions.ts";
import { Rejection } from "./rejection.ts";
import { personNames } from "./sample-guild.ts";
import type { PlatformState } from "./state.ts";
import { shownThread } from "./threads.ts";

const loopbackHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether a Host header names this machine: a foreign name that resolves here is another site's page. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  return loopbackHosts.has(new URL(`http://${host}`).hostname);
}

/** Actions and the socket are for the sandbox's own page only: its origin is the host of the request. */
export function isOwnOrigin(host: string | undefined, origin: string | undefined): boolean {
  return isLoopbackHost(host) && origin === `http://${host}`;
}

function personOf(value: string | null | undefined): PersonName | undefined {
  return personNames.find((name) => name === value);
}

const id = required(exactString(1, 30));
const command = {
  channelId: id,
  commandId: id,
  path: required(array(exactString(1, 32), 0, 2)),
  options: required(
    array(object({ name: required(exactString(1, 32)), value: required(anything) }), 0, 25),
  ),
};

const shapes = {
  command: object(command),
  suggest: object({ ...command, focused: required(exactString(1, 32)) }),
  menu: object({ channelId: id, commandId: id, messageId: id }),
  component: object({
    channelId: id,
    messageId: id,
    customId: required(exactString(1, 100)),
    values: array(exactString(1, 100), 0, 25),
  }),
  form: object({ channelId: id, interactionId: id, fields: required(anything) }),
  message: object({
    channelId: id,
    content: required(exactString(0, 4_000)),
    files: required(array(exactString(1, 30), 0, 10)),
  }),
  react: object({ messageId: id, emoji: required(exactString(1, 100)) }),
  dismiss: object({ messageId: id }),
  speak: object({ locale: required(oneOfValues(Object.keys(localeNames))) }),
} satisfies Record<string, Check>;

type ActName = keyof typeof shapes;

async function perform(
  actions: ClientActions,
  person: PersonName,
  name: ActName,
  body: never,
): Promise<object> {
  switch (name) {
    case "command":
    case "menu":
    case "component":
    case "form":
      return { interactionId: actions[name](person, body).id };
    case "suggest":
      return actions.suggest(person, body);
    case "message":
      return actions.message(person, body);
    case "react":
    case "dismiss":
    case "speak":
      actions[name](person, body);
      return {};
  }
}

/** `POST /page/…`: the actions of the person on the page. */
export function pageRoutes(state: PlatformState, actions: ClientActions): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    if (!isOwnOrigin(c.req.header("host"), c.req.header("origin"))) {
      return c.json({ error: "Only the sandbox's own page may act here." }, 403);
    }
    if (personOf(c.req.query("as")) === undefined) {
      return c.json({ error: "Say who actions." }, 400);
    }
    return next();
  });

  app.post("/files", async (c) => {
    const name = c.req.query("name") ?? "file";
    const type = c.req.header("content-type") ?? "";
    const data = await readBody(c.req.raw, state.attachmentLimit);
    if (data === undefined) throw fileTooLarge(state, name);
    return c.json({ id: actions.upload({ name, type, data }) });
  });

  app.post("/:act", async (c) => {
    const name = c.req.param("act");
    const person = personOf(c.req.query("as"));
    if (!isActName(name) || person === undefined) return c.json({ error: "No such act." }, 404);
    const body: unknown = await c.req.json().catch(() => undefined);
    const report = createReport();
    shapes[name](body, report);
    if (report.errors() !== undefined) return c.json({ error: "That request is incomplete." }, 400);
    // The shape above is that act's own.
    return c.json(await perform(actions, person, name, body as never));
  });

  app.onError((error, c) => {
    const isRefusal = error instanceof ClientRefusal || error instanceof InteractionFailed;
    if (isRefusal || error instanceof Rejection) return c.json({ error: error.message }, 400);
    throw error;
  });
  return app;
}

function isActName(name: string): name is ActName {
  return Object.hasOwn(shapes, name);
}

function hello(state: PlatformState, actions: ClientActions, me: PersonName): HelloEvent {
  const people = personNames.map((name) => {
    const { user, role } = state.person(name);
    return { name, user, role };
  });
  const own = people.find(({ name }) => name === me) ?? people[0];
  if (own === undefined) throw new Error("The guild is empty.");
  return {
    type: "hello",
    me: own,
    locale: state.localeOf(me),
    people,
    guild: { id: state.guild.guildId, name: state.guild.guildName },
    channels: seenChannels(state, me),
    threads: [...state.threads.values()]
      .filter(({ id }) => maySee(state, id, me))
      .map((thread) => shownThread(state, thread)),
    roles: state.guild.roles,
    directChannelId: directChannelOf(state, me).id,
    bot: state.guild.bot,
    online: isReachable(state),
    commands: actions.commands(me),
    messages: state.seenBy(me).map((stored) => asSeen(state, state.shown(stored), me)),
    attachmentLimit: state.attachmentLimit,
    expressions: shownExpressions(state.expressions),
  };
}

function seenChannels(state: PlatformState, me: PersonName): readonly PageChannel[] {
  return allChannels(state)
    .filter(({ id }) => maySee(state, id, me))
    .map(pageChannel);
}

/** `me` of a reaction differs from person to person. */
function asSeen(state: PlatformState, message: APIMessage, me: PersonName): APIMessage {
  const stored = message.reactions === undefined ? undefined : state.messages.get(message.id);
  if (stored === undefined) return message;
  return { ...message, reactions: shownReactions(stored, state.person(me).user.id) };
}

interface PersonalEvent {
  readonly event: PageEvent;
  readonly me: PersonName;
}

/** Lists hold only what this person may see. */
function forPerson(
  state: PlatformState,
  actions: ClientActions,
  { event, me }: PersonalEvent,
): PageEvent {
  if (event.type === "commands") return { ...event, commands: actions.commands(me) };
  if (event.type === "message") return { ...event, message: asSeen(state, event.message, me) };
  if (event.type === "channels") return { ...event, channels: seenChannels(state, me) };
  return event;
}

/** Sends one page the events that its person sees, until the page is closed. */
export function sendEventsToPage(
  state: PlatformState,
  actions: ClientActions,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  const query = new URL(request.url ?? "/", "http://page").searchParams;
  const me = personOf(query.get("as")) ?? "owner";
  const send = (event: PageEvent): void => socket.send(JSON.stringify(event));
  send(hello(state, actions, me));
  const stop = state.listen((event, audience) => {
    if (!isEventFor(state, { event, audience }, me)) return;
    send(forPerson(state, actions, { event, me }));
  });
  socket.on("close", stop);
  // A broken connection is followed by `close`, which ends the listening.
  socket.on("error", () => undefined);
}

/**
 * A request's whole body in one piece of memory; undefined when it is longer than `maxBytes`, and then it is read to
 * its end and kept nowhere. A video may have hundreds of megabytes, so its parts are written straight to their place.
 */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  const isTooLong = length !== undefined && length > maxBytes;
  const whole = Buffer.allocUnsafeSlow(length === undefined || isTooLong ? 0 : length);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    const from = bytes;
    bytes += part.byteLength;
    if (isTooLong || bytes > maxBytes) parts.length = 0;
    else if (length === undefined) parts.push(part);
    else whole.set(part, from);
  }
  if (isTooLong || bytes > maxBytes) return undefined;
  return length === undefined ? Buffer.concat(parts) : whole;
}

import type { IncomingMessage } from "node:http";
import type { APIMessage } from "discord-api-types/v10";
import { Hono } from "hono";
import type { WebSocket } from "ws";
import type { PersonName } from "../types.ts";
import type { PersonActs } from "./acts/person-acts.ts";
import { tooLarge } from "./acts/uploads.ts";
import { personNames } from "./cast.ts";
import { pageChannel } from "./channel-changes.ts";
import {
  anything,
  type Check,
  choice,
  createReport,
  exactText,
  list,
  required,
  shape,
} from "./check/check.ts";
import { shownExpressions } from "./expressions.ts";
import { ActError, InteractionFailed } from "./interaction.ts";
import { localeNames } from "./locales.ts";
import { channelsOf, directChannelOf, maySee, reaches } from "./places.ts";
import type { HelloEvent, PageChannel, PageEvent } from "./protocol.ts";
import { shownReactions } from "./reactions.ts";
import { Rejection } from "./rejection.ts";
import { shownThread } from "./threads.ts";
import type { World } from "./world.ts";

const loopbackHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether a Host header names this machine: a foreign name that resolves here is another site's page. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  return loopbackHosts.has(new URL(`http://${host}`).hostname);
}

/** Acts and the socket are for the page itself: its origin is the host that was asked. */
export function isOwnOrigin(host: string | undefined, origin: string | undefined): boolean {
  return isLoopbackHost(host) && origin === `http://${host}`;
}

function personOf(value: string | null | undefined): PersonName | undefined {
  return personNames.find((name) => name === value);
}

const id = required(exactText(1, 30));
const command = {
  channelId: id,
  commandId: id,
  path: required(list(exactText(1, 32), 0, 2)),
  options: required(
    list(shape({ name: required(exactText(1, 32)), value: required(anything) }), 0, 25),
  ),
};

const shapes = {
  command: shape(command),
  suggest: shape({ ...command, focused: required(exactText(1, 32)) }),
  menu: shape({ channelId: id, commandId: id, messageId: id }),
  component: shape({
    channelId: id,
    messageId: id,
    customId: required(exactText(1, 100)),
    values: list(exactText(1, 100), 0, 25),
  }),
  form: shape({ channelId: id, interactionId: id, fields: required(anything) }),
  message: shape({
    channelId: id,
    content: required(exactText(0, 4_000)),
    files: required(list(exactText(1, 30), 0, 10)),
  }),
  react: shape({ messageId: id, emoji: required(exactText(1, 100)) }),
  dismiss: shape({ messageId: id }),
  speak: shape({ locale: required(choice(Object.keys(localeNames))) }),
} satisfies Record<string, Check>;

type ActName = keyof typeof shapes;

async function perform(
  acts: PersonActs,
  person: PersonName,
  name: ActName,
  body: never,
): Promise<object> {
  switch (name) {
    case "command":
    case "menu":
    case "component":
    case "form":
      return { interactionId: acts[name](person, body).id };
    case "suggest":
      return acts.suggest(person, body);
    case "message":
      return acts.message(person, body);
    case "react":
    case "dismiss":
    case "speak":
      acts[name](person, body);
      return {};
  }
}

/** `POST /page/…`: what the page's visitor does. */
export function actRoutes(world: World, acts: PersonActs): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    if (!isOwnOrigin(c.req.header("host"), c.req.header("origin"))) {
      return c.json({ error: "Only the sandbox's own page may act here." }, 403);
    }
    if (personOf(c.req.query("as")) === undefined) {
      return c.json({ error: "Say who acts." }, 400);
    }
    return next();
  });

  app.post("/files", async (c) => {
    const name = c.req.query("name") ?? "file";
    const type = c.req.header("content-type") ?? "";
    const data = await readBody(c.req.raw, world.attachmentLimit);
    if (data === undefined) throw tooLarge(world, name);
    return c.json({ id: acts.upload({ name, type, data }) });
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
    return c.json(await perform(acts, person, name, body as never));
  });

  app.onError((error, c) => {
    const isTold = error instanceof ActError || error instanceof InteractionFailed;
    if (isTold || error instanceof Rejection) return c.json({ error: error.message }, 400);
    throw error;
  });
  return app;
}

function isActName(name: string): name is ActName {
  return Object.hasOwn(shapes, name);
}

function hello(world: World, acts: PersonActs, me: PersonName): HelloEvent {
  const people = personNames.map((name) => {
    const { user, role } = world.person(name);
    return { name, user, role };
  });
  const own = people.find(({ name }) => name === me) ?? people[0];
  if (own === undefined) throw new Error("The cast is empty.");
  return {
    type: "hello",
    me: own,
    locale: world.localeOf(me),
    people,
    guild: { id: world.cast.guildId, name: world.cast.guildName },
    channels: seenChannels(world, me),
    threads: [...world.threads.values()]
      .filter(({ id }) => maySee(world, id, me))
      .map((thread) => shownThread(world, thread)),
    roles: world.cast.roles,
    directChannelId: directChannelOf(world, me).id,
    bot: world.cast.bot,
    online: world.isOnline,
    commands: acts.commands(me),
    messages: world.seenBy(me).map((stored) => asSeen(world, world.shown(stored), me)),
    attachmentLimit: world.attachmentLimit,
    expressions: shownExpressions(world.expressions),
  };
}

function seenChannels(world: World, me: PersonName): readonly PageChannel[] {
  return channelsOf(world)
    .filter(({ id }) => maySee(world, id, me))
    .map(pageChannel);
}

/** Which reactions are one's own differs from person to person. */
function asSeen(world: World, message: APIMessage, me: PersonName): APIMessage {
  const stored = message.reactions === undefined ? undefined : world.messages.get(message.id);
  if (stored === undefined) return message;
  return { ...message, reactions: shownReactions(stored, world.person(me).user.id) };
}

interface Heard {
  readonly event: PageEvent;
  readonly me: PersonName;
}

/** Lists hold only what this person may see. */
function forPerson(world: World, acts: PersonActs, { event, me }: Heard): PageEvent {
  if (event.type === "commands") return { ...event, commands: acts.commands(me) };
  if (event.type === "message") return { ...event, message: asSeen(world, event.message, me) };
  if (event.type === "channels") return { ...event, channels: seenChannels(world, me) };
  return event;
}

/** Tells one page what its person sees, until it goes away. */
export function welcomePage(
  world: World,
  acts: PersonActs,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  const query = new URL(request.url ?? "/", "http://page").searchParams;
  const me = personOf(query.get("as")) ?? "owner";
  const send = (event: PageEvent): void => socket.send(JSON.stringify(event));
  send(hello(world, acts, me));
  const stop = world.listen((event, audience) => {
    if (!reaches(world, { event, audience }, me)) return;
    send(forPerson(world, acts, { event, me }));
  });
  socket.on("close", stop);
  // A broken connection is followed by `close`, which ends the listening.
  socket.on("error", () => undefined);
}

/**
 * A request's whole body in one piece of memory; undefined when it is longer than `maxBytes`, and then it is read to its
 * end and kept nowhere. A video may have hundreds of megabytes, so its parts are written straight to their place.
 */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const told = request.headers.get("content-length");
  const length = told === null ? undefined : Number(told);
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

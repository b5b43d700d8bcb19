import { Hono } from "hono";
import { localeNames } from "../locales.ts";
import type { PersonName } from "../types.ts";
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
import { ActionError, InteractionFailed } from "./interaction.ts";
import { readPerson } from "./page-events.ts";
import type { HappenAction, Happenings, HappeningsAnswer } from "./protocol.ts";
import { Rejection } from "./rejection.ts";
import type { PlatformState } from "./state.ts";

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
  delete: object({ messageId: id }),
  happenings: object({ name: exactString(1, 30) }),
  speak: object({ locale: required(oneOfValues(Object.keys(localeNames))) }),
} satisfies Record<string, Check>;

type ActName = keyof typeof shapes;

interface PageRoutesDeps {
  readonly state: PlatformState;
  readonly actions: ClientActions;
  readonly happenings: () => Happenings | undefined;
}

async function perform(
  deps: PageRoutesDeps,
  person: PersonName,
  name: ActName,
  body: never,
): Promise<object> {
  const { actions } = deps;
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
    case "happenings":
      return happen(deps, person, body);
    case "react":
    case "dismiss":
    case "delete":
    case "speak":
      actions[name](person, body);
      return {};
  }
}

function happen(
  { state, happenings }: PageRoutesDeps,
  person: PersonName,
  { name }: HappenAction,
): HappeningsAnswer {
  const all = happenings();
  if (name !== undefined) {
    if (all?.run(name, person) !== true) throw new ActionError(`"${name}" can't happen now.`);
    state.publish({ type: "clock", now: state.now() });
  }
  return { happenings: all?.list(person) ?? [] };
}

/** `POST /page/…`: the actions of the person on the page. */
export function pageRoutes(deps: PageRoutesDeps): Hono {
  const { state, actions } = deps;
  const app = new Hono();

  app.use(async (c, next) => {
    if (!isOwnOrigin(c.req.header("host"), c.req.header("origin"))) {
      return c.json({ error: "Only the sandbox's own page may act here." }, 403);
    }
    if (readPerson(c.req.query("as")) === undefined) {
      return c.json(
        { error: "The address must say who acts: ?as=owner, moderator or member." },
        400,
      );
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
    const person = readPerson(c.req.query("as"));
    if (!Object.hasOwn(shapes, name) || person === undefined) {
      return c.json({ error: "No such act." }, 404);
    }
    const act = name as ActName;
    const body: unknown = await c.req.json().catch(() => undefined);
    const report = createReport();
    shapes[act](body, report);
    if (report.errors() !== undefined) return c.json({ error: "That request is incomplete." }, 400);
    // The shape above is that act's own.
    return c.json(await perform(deps, person, act, body as never));
  });

  app.onError((error, c) => {
    const isRefusal = error instanceof ActionError || error instanceof InteractionFailed;
    if (isRefusal || error instanceof Rejection) return c.json({ error: error.message }, 400);
    throw error;
  });
  return app;
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

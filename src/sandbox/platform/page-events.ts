import type { IncomingMessage } from "node:http";
import type { APIMessage } from "discord-api-types/v10";
import type { WebSocket } from "ws";
import type { PersonName } from "../types.ts";
import { allChannels, directChannelFor, isEventFor, maySee } from "./channel-access.ts";
import { pageChannel } from "./channel-changes.ts";
import type { ClientActions } from "./client/client-actions.ts";
import { isReachable } from "./endpoint/application-endpoints.ts";
import { shownExpressions } from "./expressions.ts";
import type { HelloEvent, PageChannel, PageEvent } from "./protocol.ts";
import { shownReactions } from "./reactions.ts";
import { personNames } from "./sample-guild.ts";
import { shownEvents } from "./scheduled-events.ts";
import type { PlatformState } from "./state.ts";
import { shownThread } from "./threads.ts";

/** The person that a page's address names. */
export function readPerson(value: string | null | undefined): PersonName | undefined {
  return personNames.find((name) => name === value);
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
    now: state.now(),
    locale: state.localeOf(me),
    people,
    guild: { id: state.guild.guildId, name: state.guild.serverName },
    channels: seenChannels(state, me),
    threads: [...state.threads.values()]
      .filter(({ id }) => maySee(state, id, me))
      .map((thread) => shownThread(state, thread)),
    roles: state.guild.roles,
    directChannelId: directChannelFor(state, me).id,
    bot: state.guild.bot,
    online: isReachable(state),
    commands: actions.commands(me),
    messages: state.seenBy(me).map((stored) => asSeen(state, state.shown(stored), me)),
    welcomeId: state.welcomeId,
    attachmentLimit: state.attachmentLimit,
    expressions: shownExpressions(state.expressions),
    events: shownEvents(state),
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

/** Sends one page the events that its person sees, until the page is closed. */
export function sendEventsToPage(
  state: PlatformState,
  actions: ClientActions,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  const query = new URL(request.url ?? "/", "http://page").searchParams;
  const me = readPerson(query.get("as")) ?? "owner";
  const send = (event: PageEvent): void => socket.send(JSON.stringify(event));
  send(hello(state, actions, me));
  const stop = state.listen((event, audience) => {
    if (!isEventFor(state, { event, audience }, me)) return;
    // Lists hold only what this person may see.
    if (event.type === "commands") send({ ...event, commands: actions.commands(me) });
    else if (event.type === "message")
      send({ ...event, message: asSeen(state, event.message, me) });
    else if (event.type === "channels") send({ ...event, channels: seenChannels(state, me) });
    else send(event);
  });
  socket.on("close", stop);
  // A broken connection is followed by `close`, which ends the listening.
  socket.on("error", () => undefined);
}

import type { APIApplicationCommand } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import { isSeenBy, partnerIn, serverRights } from "../channel-access.ts";
import { ActionError } from "../interaction.ts";
import { mayUse } from "../permissions.ts";
import type {
  CommandAction,
  ComponentAction,
  MenuAction,
  PlatformFormAction,
  SuggestAction,
  SuggestAnswer,
} from "../protocol.ts";
import type { PlatformState, StoredInteraction, StoredMessage } from "../state.ts";
import { type BeginInteractionDeps, beginInteraction } from "./begin-interaction.ts";
import { optionAt, sendOptions } from "./command-options.ts";
import { sendComponent, sendForm } from "./components.ts";
import type { PendingUploads } from "./pending-uploads.ts";
import { createResolvedEntities } from "./resolved-entities.ts";

interface ClientInteractionDeps extends BeginInteractionDeps {
  readonly uploads: PendingUploads;
}

// Types of the message that answers an interaction.
const chatReply = 20;
const menuReply = 23;
const reply = 19;

export function commandsFor(
  state: PlatformState,
  person: PersonName,
): readonly APIApplicationCommand[] {
  const all = [...state.commands.values()];
  const own = all.filter((each) => each.guild_id === state.guild.guildId);
  // The server's own take the place of those with the same name.
  const others = all.filter(
    ({ name, type, guild_id: guildId }) =>
      guildId === undefined && !own.some((each) => each.name === name && each.type === type),
  );
  const held = serverRights(state, person);
  return [...others, ...own].filter(
    (each) => state.isEachCommandShown || mayUse(held, each.default_member_permissions),
  );
}

/** @throws ActionError when the message is gone, or not for this person. */
export function messageFor(state: PlatformState, person: PersonName, id: string): StoredMessage {
  const stored = state.messages.get(id);
  if (stored === undefined || !isSeenBy(state, stored, person)) {
    throw new ActionError("That message is no longer there.");
  }
  return stored;
}

export function useCommand(
  deps: ClientInteractionDeps,
  person: PersonName,
  act: CommandAction,
): StoredInteraction {
  const command = findCommand(deps.state, person, { ...act, type: 1 });
  return beginInteraction(deps, {
    kind: 2,
    person,
    channelId: act.channelId,
    data: commandData(deps, person, act),
    commandName: [command.name, ...act.path].join(" "),
    replyType: chatReply,
  });
}

export async function suggest(
  deps: ClientInteractionDeps,
  person: PersonName,
  act: SuggestAction,
): Promise<SuggestAnswer> {
  const option = optionAt(
    findCommand(deps.state, person, { ...act, type: 1 }),
    act.path,
    act.focused,
  );
  const interaction = beginInteraction(deps, {
    kind: 4,
    person,
    channelId: act.channelId,
    data: commandData(deps, person, act),
    replyType: chatReply,
    focusedType: Number(option?.type ?? 3),
  });
  await interaction.answered.promise;
  return { choices: interaction.choices ?? [] };
}

export function useMenu(
  deps: ClientInteractionDeps,
  person: PersonName,
  act: MenuAction,
): StoredInteraction {
  const command = findCommand(deps.state, person, { ...act, type: 3 });
  const { message } = messageFor(deps.state, person, act.messageId);
  return beginInteraction(deps, {
    kind: 2,
    person,
    channelId: act.channelId,
    data: {
      ...commandFields(command),
      type: 3,
      target_id: message.id,
      resolved: { messages: { [message.id]: message } },
    },
    metadata: { target_message_id: message.id },
    commandName: command.name,
    replyType: menuReply,
  });
}

/** A press or choice. If this person is to be overtaken, somebody else presses first. */
export function pressComponent(
  deps: ClientInteractionDeps,
  person: PersonName,
  act: ComponentAction,
): StoredInteraction {
  const { state } = deps;
  const source = messageFor(state, person, act.messageId);
  const other = rivalFor(person);
  if (state.overtaken.has(person) && isSeenBy(state, source, other)) {
    state.overtaken.delete(person);
    pressComponent(deps, other, act);
  }
  const channelId = source.message.channel_id;
  return beginInteraction(deps, {
    kind: 3,
    person,
    channelId,
    data: sendComponent(source, act, createResolvedEntities({ ...deps, person, channelId })),
    source,
    metadata: { interacted_message_id: source.message.id },
    replyType: reply,
  });
}

/** Who presses first: both may decide about comments. */
export function rivalFor(person: PersonName): PersonName {
  return person === "moderator" ? "owner" : "moderator";
}

export function submitForm(
  deps: ClientInteractionDeps,
  person: PersonName,
  act: PlatformFormAction,
): StoredInteraction {
  const { state } = deps;
  const opener = [...state.interactions.values()].find(({ id }) => id === act.interactionId);
  if (opener?.form === undefined || opener.person !== person) {
    throw new ActionError("That form is no longer open.");
  }
  const source = state.messages.get(opener.sourceId ?? "");
  const { channelId } = opener;
  return beginInteraction(deps, {
    kind: 5,
    person,
    channelId,
    data: sendForm(opener.form, act.fields, createResolvedEntities({ ...deps, person, channelId })),
    ...(source === undefined ? {} : { source }),
    metadata: { triggering_interaction_metadata: opener.metadata },
    replyType: source === undefined ? 0 : reply,
  });
}

interface WantedCommand extends Pick<CommandAction, "commandId" | "channelId"> {
  readonly type: number;
}

function findCommand(
  state: PlatformState,
  person: PersonName,
  { commandId, channelId, type }: WantedCommand,
): APIApplicationCommand {
  const found = commandsFor(state, person).find(
    (each) => each.id === commandId && each.type === type,
  );
  // In a direct conversation only those commands are offered that name this context.
  const context = partnerIn(state, channelId) === undefined ? 0 : 1;
  const isOfServer = context === 1 && found?.guild_id !== undefined;
  if (found === undefined || isOfServer || found.contexts?.includes(context) === false) {
    throw new ActionError("You can’t use that command here.");
  }
  return found;
}

function commandData(
  deps: ClientInteractionDeps,
  person: PersonName,
  act: CommandAction & Partial<Pick<SuggestAction, "focused">>,
): object {
  const { focused } = act;
  const command = findCommand(deps.state, person, { ...act, type: 1 });
  const resolved = createResolvedEntities({ ...deps, person, channelId: act.channelId });
  const options = sendOptions(command, {
    path: act.path,
    typed: act.options,
    resolved,
    ...(focused === undefined ? {} : { focused }),
  });
  // Suggestions are asked for with bare values.
  const entities = focused === undefined ? resolved.value() : undefined;
  return {
    ...commandFields(command),
    type: 1,
    options,
    ...(entities === undefined ? {} : { resolved: entities }),
  };
}

/** How an interaction names its command. */
function commandFields({ id, name, guild_id: guildId }: APIApplicationCommand): object {
  return { id, name, ...(guildId === undefined ? {} : { guild_id: guildId }) };
}

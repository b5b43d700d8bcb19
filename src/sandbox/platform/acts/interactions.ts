import type { APIApplicationCommand } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type { Gateway } from "../gateway.ts";
import { ActError, type Interaction } from "../interaction.ts";
import { mayUse } from "../permissions.ts";
import { isSeenBy, partnerIn, permissionsOf } from "../places.ts";
import type {
  CommandAct,
  ComponentAct,
  FormAct,
  MenuAct,
  SuggestAct,
  SuggestAnswer,
} from "../protocol.ts";
import type { StoredMessage, World } from "../world.ts";
import { beginInteraction } from "./begin.ts";
import { sendComponent } from "./component.ts";
import { sendForm } from "./form.ts";
import { optionAt, sendOptions } from "./options.ts";
import { createResolved } from "./resolved.ts";
import type { Uploads } from "./uploads.ts";

interface InteractionDeps {
  readonly world: World;
  readonly gateway: Gateway;
  readonly uploads: Uploads;
}

// Types of the message that answers an interaction.
const chatReply = 20;
const menuReply = 23;
const reply = 19;

/** Those that show for a person. */
export function commandsFor(world: World, person: PersonName): readonly APIApplicationCommand[] {
  const held = permissionsOf(world, person);
  return commandsHere(world).filter((each) => mayUse(held, each.default_member_permissions));
}

/** Everyone's commands and the server's own, which take the place of those with the same name. */
function commandsHere({ commands, cast }: World): readonly APIApplicationCommand[] {
  const all = [...commands.values()];
  const own = all.filter((each) => each.guild_id === cast.guildId);
  const isHidden = ({ name, type }: APIApplicationCommand) =>
    own.some((each) => each.name === name && each.type === type);
  return [...all.filter((each) => each.guild_id === undefined && !isHidden(each)), ...own];
}

/** @throws ActError when the message is gone, or not for this person. */
export function messageFor(world: World, person: PersonName, id: string): StoredMessage {
  const stored = world.messages.get(id);
  if (stored === undefined || !isSeenBy(world, stored, person)) {
    throw new ActError("That message is no longer there.");
  }
  return stored;
}

export function useCommand(
  deps: InteractionDeps,
  person: PersonName,
  act: CommandAct,
): Interaction {
  const command = commandOf(deps.world, person, { ...act, type: 1 });
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
  deps: InteractionDeps,
  person: PersonName,
  act: SuggestAct,
): Promise<SuggestAnswer> {
  const option = optionAt(
    commandOf(deps.world, person, { ...act, type: 1 }),
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

export function useMenu(deps: InteractionDeps, person: PersonName, act: MenuAct): Interaction {
  const command = commandOf(deps.world, person, { ...act, type: 3 });
  const { message } = messageFor(deps.world, person, act.messageId);
  return beginInteraction(deps, {
    kind: 2,
    person,
    channelId: act.channelId,
    data: {
      ...idOf(command),
      type: 3,
      target_id: message.id,
      resolved: { messages: { [message.id]: message } },
    },
    metadata: { target_message_id: message.id },
    commandName: command.name,
    replyType: menuReply,
  });
}

export function pressComponent(
  deps: InteractionDeps,
  person: PersonName,
  act: ComponentAct,
): Interaction {
  const source = messageFor(deps.world, person, act.messageId);
  const channelId = source.message.channel_id;
  return beginInteraction(deps, {
    kind: 3,
    person,
    channelId,
    data: sendComponent(source, act, createResolved({ ...deps, person, channelId })),
    source,
    metadata: { interacted_message_id: source.message.id },
    replyType: reply,
  });
}

export function submitForm(deps: InteractionDeps, person: PersonName, act: FormAct): Interaction {
  const { world } = deps;
  const opener = [...world.interactions.values()].find(({ id }) => id === act.interactionId);
  if (opener?.form === undefined || opener.person !== person) {
    throw new ActError("That form is not open.");
  }
  const source = world.messages.get(opener.sourceId ?? "");
  const { channelId } = opener;
  return beginInteraction(deps, {
    kind: 5,
    person,
    channelId,
    data: sendForm(opener.form, act.fields, createResolved({ ...deps, person, channelId })),
    ...(source === undefined ? {} : { source }),
    metadata: { triggering_interaction_metadata: opener.metadata },
    replyType: source === undefined ? 0 : reply,
  });
}

interface Wanted extends Pick<CommandAct, "commandId" | "channelId"> {
  readonly type: number;
}

function commandOf(
  world: World,
  person: PersonName,
  { commandId, channelId, type }: Wanted,
): APIApplicationCommand {
  const found = commandsFor(world, person).find(
    (each) => each.id === commandId && each.type === type && isOffered(world, each, channelId),
  );
  if (found === undefined) throw new ActError("There is no such command for you here.");
  return found;
}

/** In a direct conversation only those commands are offered that name this context. */
function isOffered(world: World, command: APIApplicationCommand, channelId: string): boolean {
  const context = partnerIn(world, channelId) === undefined ? 0 : 1;
  if (context === 1 && command.guild_id !== undefined) return false;
  return command.contexts?.includes(context) ?? true;
}

function commandData(
  deps: InteractionDeps,
  person: PersonName,
  act: CommandAct & Partial<Pick<SuggestAct, "focused">>,
): object {
  const { focused } = act;
  const command = commandOf(deps.world, person, { ...act, type: 1 });
  const resolved = createResolved({ ...deps, person, channelId: act.channelId });
  const options = sendOptions(command, {
    path: act.path,
    typed: act.options,
    resolved,
    ...(focused === undefined ? {} : { focused }),
  });
  // Suggestions are asked for with bare values.
  const entities = focused === undefined ? resolved.value() : undefined;
  return {
    ...idOf(command),
    type: 1,
    options,
    ...(entities === undefined ? {} : { resolved: entities }),
  };
}

/** How an interaction names its command. */
function idOf({ id, name, guild_id: guildId }: APIApplicationCommand): object {
  return { id, name, ...(guildId === undefined ? {} : { guild_id: guildId }) };
}

import type { APIApplicationCommand, APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type { Upload } from "../files.ts";
import type { Gateway } from "../gateway.ts";
import type { Interaction } from "../interaction.ts";
import { createMessage } from "../messages.ts";
import { isHeld, mayUse } from "../permissions.ts";
import {
  channelOf,
  isSeenBy,
  maySee,
  partnerIn,
  permissionsIn,
  permissionsOf,
  rightIn,
} from "../places.ts";
import type {
  CommandAct,
  ComponentAct,
  DismissAct,
  FormAct,
  MenuAct,
  MessageAct,
  ReactAct,
  SpeakAct,
  SuggestAct,
  SuggestAnswer,
} from "../protocol.ts";
import {
  addReaction,
  emojiFrom,
  maxReactions,
  reactionWith,
  removeReaction,
} from "../reactions.ts";
import { isForum, threadOf } from "../threads.ts";
import { startTyping } from "../typing.ts";
import type { StoredMessage, World } from "../world.ts";
import { ActError } from "./act-error.ts";
import { createBegin } from "./begin.ts";
import { sendComponent } from "./component.ts";
import { sendForm } from "./form.ts";
import { optionAt, sendOptions } from "./options.ts";
import { createResolved } from "./resolved.ts";
import { createUploads } from "./uploads.ts";

/** All that a person can do. Each throws an `ActError` where the client would not let them. */
export interface Desk {
  /** Commands that show for this person. */
  commands(person: PersonName): readonly APIApplicationCommand[];
  command(person: PersonName, act: CommandAct): Interaction;
  suggest(person: PersonName, act: SuggestAct): Promise<SuggestAnswer>;
  menu(person: PersonName, act: MenuAct): Interaction;
  component(person: PersonName, act: ComponentAct): Interaction;
  form(person: PersonName, act: FormAct): Interaction;
  message(person: PersonName, act: MessageAct): APIMessage;
  /** Chooses an emoji below a message, or gives it up where it is chosen. */
  react(person: PersonName, act: ReactAct): void;
  type(person: PersonName, channelId: string): void;
  dismiss(person: PersonName, act: DismissAct): void;
  speak(person: PersonName, act: SpeakAct): void;
  /** Answers the id that acts name the file by. */
  upload(upload: Upload): string;
}

type CommandRef = Pick<CommandAct, "commandId" | "channelId">;

const chatReply = 20;
const menuReply = 23;
const reply = 19;

function demandWriting(world: World, person: PersonName, channelId: string): void {
  const channel = channelOf(world, channelId);
  if (channel !== undefined && isForum(channel)) throw new ActError("Open a post to write in it.");
  const held = permissionsIn(world, channelId, person);
  const isDirect = partnerIn(world, channelId) !== undefined;
  const mayWrite = isDirect || isHeld(held, rightIn(world, channelId, "send"));
  if (!maySee(world, channelId, person) || !mayWrite) {
    throw new ActError("You can't write in this channel.");
  }
  const isLocked = threadOf(world, channelId)?.isLocked ?? false;
  if (isLocked && !isHeld(held, "manageThreads")) throw new ActError("This post is locked.");
}

/** Everyone's commands and the server's own, which take the place of those with the same name. */
function commandsHere({ commands, cast }: World): readonly APIApplicationCommand[] {
  const all = [...commands.values()];
  const own = all.filter((each) => each.guild_id === cast.guildId);
  const isHidden = ({ name, type }: APIApplicationCommand) =>
    own.some((each) => each.name === name && each.type === type);
  return [...all.filter((each) => each.guild_id === undefined && !isHidden(each)), ...own];
}

/** How an interaction names its command. */
function idOf({ id, name, guild_id: guildId }: APIApplicationCommand): object {
  return { id, name, ...(guildId === undefined ? {} : { guild_id: guildId }) };
}

export function createDesk(world: World, gateway: Gateway): Desk {
  const begin = createBegin(world, gateway);
  const uploads = createUploads(world);

  function commands(person: PersonName): readonly APIApplicationCommand[] {
    const held = permissionsOf(world, person);
    return commandsHere(world).filter((each) => mayUse(held, each.default_member_permissions));
  }

  /** In a conversation only those are there that say so. */
  function isOffered(command: APIApplicationCommand, channelId: string): boolean {
    const context = partnerIn(world, channelId) === undefined ? 0 : 1;
    if (context === 1 && command.guild_id !== undefined) return false;
    return command.contexts?.includes(context) ?? true;
  }

  function commandOf(person: PersonName, act: CommandRef, type: number): APIApplicationCommand {
    const found = commands(person).find(
      (each) => each.id === act.commandId && each.type === type && isOffered(each, act.channelId),
    );
    if (found === undefined) throw new ActError("There is no such command for you here.");
    return found;
  }

  function messageOf(person: PersonName, id: string): StoredMessage {
    const stored = world.messages.get(id);
    if (stored === undefined || !isSeenBy(world, stored, person)) {
      throw new ActError("That message is no longer there.");
    }
    return stored;
  }

  function commandData(person: PersonName, act: CommandAct, focused?: string): object {
    const command = commandOf(person, act, 1);
    const resolved = createResolved({ world, uploads, person, channelId: act.channelId });
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

  function nameOf(person: PersonName, act: CommandAct): string {
    return [commandOf(person, act, 1).name, ...act.path].join(" ");
  }

  return {
    commands,
    upload: uploads.put,

    command: (person, act) =>
      begin({
        kind: 2,
        person,
        channelId: act.channelId,
        data: commandData(person, act),
        commandName: nameOf(person, act),
        replyType: chatReply,
      }),

    async suggest(person, act) {
      const command = commandOf(person, act, 1);
      const option = optionAt(command, act.path, act.focused);
      const interaction = begin({
        kind: 4,
        person,
        channelId: act.channelId,
        data: commandData(person, act, act.focused),
        replyType: chatReply,
        focusedType: Number(option?.type ?? 3),
      });
      await interaction.answered.promise;
      return { choices: interaction.choices ?? [] };
    },

    menu(person, act) {
      const command = commandOf(person, act, 3);
      const { message } = messageOf(person, act.messageId);
      return begin({
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
    },

    component(person, act) {
      const source = messageOf(person, act.messageId);
      const channelId = source.message.channel_id;
      return begin({
        kind: 3,
        person,
        channelId,
        data: sendComponent(source, act, createResolved({ world, uploads, person, channelId })),
        source,
        metadata: { interacted_message_id: source.message.id },
        replyType: reply,
      });
    },

    form(person, act) {
      const opener = [...world.interactions.values()].find(({ id }) => id === act.interactionId);
      if (opener?.form === undefined || opener.person !== person) {
        throw new ActError("That form is not open.");
      }
      const source = world.messages.get(opener.sourceId ?? "");
      const { channelId } = opener;
      const resolved = createResolved({ world, uploads, person, channelId });
      return begin({
        kind: 5,
        person,
        channelId,
        data: sendForm(opener.form, act.fields, resolved),
        ...(source === undefined ? {} : { source }),
        metadata: { triggering_interaction_metadata: opener.metadata },
        replyType: source === undefined ? 0 : reply,
      });
    },

    message(person, act) {
      const files = act.files.map((id, index) => [String(index), uploads.take(id)] as const);
      if (act.content.trim() === "" && files.length === 0) {
        throw new ActError("Write something or attach a file.");
      }
      demandWriting(world, person, act.channelId);
      const author = world.person(person).user;
      const made = { author, channelId: act.channelId, pings: ["users", "roles"] };
      const input = { body: { content: act.content }, uploads: new Map(files) };
      return world.shown(createMessage(world, "channel", made, input));
    },

    react(person, { messageId, emoji: text }) {
      const stored = messageOf(person, messageId);
      const { channel_id: channelId } = stored.message;
      const emoji = emojiFrom(world, text);
      if (emoji === undefined) throw new ActError("There is no such emoji here.");
      const known = reactionWith(stored, emoji);
      const userId = world.person(person).user.id;
      if (known?.userIds.has(userId)) return removeReaction(world, stored, { userId, emoji });
      const isDirect = partnerIn(world, channelId) !== undefined;
      const mayBegin = isDirect || isHeld(permissionsIn(world, channelId, person), "react");
      const isFull = stored.reactions.length >= maxReactions;
      if (stored.audience !== undefined || (known === undefined && (!mayBegin || isFull))) {
        throw new ActError("You can't react to that message.");
      }
      addReaction(world, stored, { userId, emoji });
    },

    type(person, channelId) {
      demandWriting(world, person, channelId);
      startTyping(world, channelId, world.person(person).user.id);
    },

    speak: (person, { locale }) => world.speak(person, locale),

    dismiss(person, act) {
      const stored = messageOf(person, act.messageId);
      if (stored.audience === undefined) throw new ActError("Only your own replies can be hidden.");
      stored.isDismissed = true;
      const { id, channel_id: channelId } = stored.message;
      world.publish({ type: "message-deleted", channelId, messageId: id }, person);
    },
  };
}

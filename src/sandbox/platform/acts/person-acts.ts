import type { APIApplicationCommand, APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type { Upload } from "../files.ts";
import type { Gateway } from "../gateway.ts";
import { ActError, type Interaction } from "../interaction.ts";
import { createMessage, startTyping } from "../messages.ts";
import { isHeld } from "../permissions.ts";
import { channelOf, maySee, partnerIn, permissionsIn, rightIn } from "../places.ts";
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
import type { World } from "../world.ts";
import {
  commandsFor,
  messageFor,
  pressComponent,
  submitForm,
  suggest,
  useCommand,
  useMenu,
} from "./interactions.ts";
import { createUploads, type Uploads } from "./uploads.ts";

/** All that a person can do. Each throws an `ActError` where the client would not let them. */
export interface PersonActs {
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

export function createPersonActs(world: World, gateway: Gateway): PersonActs {
  const uploads = createUploads(world);
  const deps = { world, gateway, uploads };
  return {
    commands: (person) => commandsFor(world, person),
    upload: uploads.put,
    command: (person, act) => useCommand(deps, person, act),
    suggest: (person, act) => suggest(deps, person, act),
    menu: (person, act) => useMenu(deps, person, act),
    component: (person, act) => pressComponent(deps, person, act),
    form: (person, act) => submitForm(deps, person, act),
    message: (person, act) => writeMessage({ world, uploads }, person, act),
    react: (person, act) => react(world, person, act),
    type(person, channelId) {
      demandWriting(world, person, channelId);
      startTyping(world, channelId, world.person(person).user.id);
    },
    speak: (person, { locale }) => world.speak(person, locale),
    dismiss: (person, act) => dismiss(world, person, act),
  };
}

function writeMessage(
  { world, uploads }: { readonly world: World; readonly uploads: Uploads },
  person: PersonName,
  act: MessageAct,
): APIMessage {
  const files = act.files.map((id, index) => [String(index), uploads.take(id)] as const);
  if (act.content.trim() === "" && files.length === 0) {
    throw new ActError("Write something or attach a file.");
  }
  demandWriting(world, person, act.channelId);
  const author = world.person(person).user;
  const made = { author, channelId: act.channelId, pings: ["users", "roles"] };
  const input = { body: { content: act.content }, uploads: new Map(files) };
  return world.shown(createMessage(world, "channel", made, input));
}

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

function react(world: World, person: PersonName, { messageId, emoji: text }: ReactAct): void {
  const stored = messageFor(world, person, messageId);
  const { channel_id: channelId } = stored.message;
  const emoji = emojiFrom(world, text);
  if (emoji === undefined) throw new ActError("There is no such emoji here.");
  const known = reactionWith(stored, emoji);
  const userId = world.person(person).user.id;
  if (known?.userIds.has(userId)) {
    removeReaction(world, stored, { userId, emoji });
    return;
  }
  const isDirect = partnerIn(world, channelId) !== undefined;
  const mayBegin = isDirect || isHeld(permissionsIn(world, channelId, person), "react");
  const isFull = stored.reactions.length >= maxReactions;
  if (stored.audience !== undefined || (known === undefined && (!mayBegin || isFull))) {
    throw new ActError("You can't react to that message.");
  }
  addReaction(world, stored, { userId, emoji });
}

function dismiss(world: World, person: PersonName, act: DismissAct): void {
  const stored = messageFor(world, person, act.messageId);
  if (stored.audience === undefined) throw new ActError("Only your own replies can be hidden.");
  stored.isDismissed = true;
  const { id, channel_id: channelId } = stored.message;
  world.publish({ type: "message-deleted", channelId, messageId: id }, person);
}

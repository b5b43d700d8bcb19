import type { APIApplicationCommand, APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import { channelById, maySee, partnerIn, permissionsIn, rightIn } from "../channel-access.ts";
import type { NewFile } from "../files.ts";
import { ActionError } from "../interaction.ts";
import { createMessage, deleteMessage, startTyping } from "../messages.ts";
import { isHeld } from "../permissions.ts";
import type {
  CommandAction,
  ComponentAction,
  DeleteAction,
  DismissAction,
  LocaleAction,
  MenuAction,
  MessageAction,
  PlatformFormAction,
  ReactAction,
  SuggestAction,
  SuggestAnswer,
} from "../protocol.ts";
import {
  addReaction,
  emojiFrom,
  maxReactions,
  reactionWith,
  removeReaction,
} from "../reactions.ts";
import type { PlatformState, StoredInteraction } from "../state.ts";
import { findStoredThread, isForumChannel } from "../threads.ts";
import type { BeginInteractionDeps } from "./begin-interaction.ts";
import {
  commandsFor,
  messageFor,
  pressComponent,
  submitForm,
  suggest,
  useCommand,
  useMenu,
} from "./interactions.ts";
import { createPendingUploads } from "./pending-uploads.ts";

/** Everything a person can do in the client. Each throws an `ActionError` where the client would not let them. */
export interface ClientActions {
  /** Commands that show for this person. */
  commands(person: PersonName): readonly APIApplicationCommand[];
  command(person: PersonName, act: CommandAction): StoredInteraction;
  suggest(person: PersonName, act: SuggestAction): Promise<SuggestAnswer>;
  menu(person: PersonName, act: MenuAction): StoredInteraction;
  component(person: PersonName, act: ComponentAction): StoredInteraction;
  form(person: PersonName, act: PlatformFormAction): StoredInteraction;
  message(person: PersonName, act: MessageAction): APIMessage;
  /** Chooses an emoji below a message, or gives it up where it is chosen. */
  react(person: PersonName, act: ReactAction): void;
  type(person: PersonName, channelId: string): void;
  dismiss(person: PersonName, act: DismissAction): void;
  delete(person: PersonName, act: DeleteAction): void;
  speak(person: PersonName, act: LocaleAction): void;
  /** Returns the id by which actions name the file. */
  upload(upload: NewFile): string;
}

export function createClientActions(interactionDeps: BeginInteractionDeps): ClientActions {
  const { state } = interactionDeps;
  const uploads = createPendingUploads(state);
  const deps = { ...interactionDeps, uploads };
  return {
    commands: (person) => commandsFor(state, person),
    upload: uploads.put,
    command: (person, act) => useCommand(deps, person, act),
    suggest: (person, act) => suggest(deps, person, act),
    menu: (person, act) => useMenu(deps, person, act),
    component: (person, act) => pressComponent(deps, person, act),
    form: (person, act) => submitForm(deps, person, act),
    message(person, { channelId, content, files }) {
      const sent = files.map((id, index) => [String(index), uploads.take(id)] as const);
      if (content.trim() === "" && sent.length === 0) {
        throw new ActionError("Write something or attach a file.");
      }
      demandWriting(state, person, channelId);
      const made = { author: state.person(person).user, channelId, pings: ["users", "roles"] };
      const input = { body: { content }, uploads: new Map(sent) };
      return state.shown(createMessage(state, "channel", made, input));
    },
    react: (person, act) => react(state, person, act),
    type(person, channelId) {
      demandWriting(state, person, channelId);
      startTyping(state, channelId, state.person(person).user.id);
    },
    speak: (person, { locale }) => state.speak(person, locale),
    dismiss(person, { messageId }) {
      const stored = messageFor(state, person, messageId);
      if (stored.audience === undefined) {
        throw new ActionError("Only messages that nobody else can see can be dismissed.");
      }
      stored.isDismissed = true;
      const { channel_id: channelId } = stored.message;
      state.publish({ type: "message-deleted", channelId, messageId }, person);
    },
    delete(person, { messageId }) {
      const stored = messageFor(state, person, messageId);
      const { author, channel_id: channelId } = stored.message;
      const isOwn = author.id === state.person(person).user.id;
      const mayManage = isHeld(permissionsIn(state, channelId, person), "manageMessages");
      if (stored.audience !== undefined || !(isOwn || mayManage)) {
        throw new ActionError("You can't delete that message.");
      }
      deleteMessage(state, stored);
    },
  };
}

function demandWriting(state: PlatformState, person: PersonName, channelId: string): void {
  const channel = channelById(state, channelId);
  if (channel !== undefined && isForumChannel(channel))
    throw new ActionError("Open a post to write in it.");
  const held = permissionsIn(state, channelId, person);
  const isDirect = partnerIn(state, channelId) !== undefined;
  const mayWrite = isDirect || isHeld(held, rightIn(state, channelId, "send"));
  if (!maySee(state, channelId, person) || !mayWrite) {
    throw new ActionError("You can't write in this channel.");
  }
  const isLocked = findStoredThread(state, channelId)?.isLocked ?? false;
  if (isLocked && !isHeld(held, "manageThreads")) throw new ActionError("This post is locked.");
}

function react(
  state: PlatformState,
  person: PersonName,
  { messageId, emoji: text }: ReactAction,
): void {
  const stored = messageFor(state, person, messageId);
  const { channel_id: channelId } = stored.message;
  const emoji = emojiFrom(state, text);
  if (emoji === undefined) throw new ActionError("That emoji doesn’t exist here.");
  const known = reactionWith(stored, emoji);
  const userId = state.person(person).user.id;
  if (known?.userIds.has(userId)) {
    removeReaction(state, stored, { userId, emoji });
    return;
  }
  const isDirect = partnerIn(state, channelId) !== undefined;
  const mayBegin = isDirect || isHeld(permissionsIn(state, channelId, person), "react");
  const isFull = stored.reactions.length >= maxReactions;
  if (stored.audience !== undefined || (known === undefined && (!mayBegin || isFull))) {
    throw new ActionError("You can't react to that message.");
  }
  addReaction(state, stored, { userId, emoji });
}

import type {
  APIApplicationCommand,
  APIApplicationCommandOption,
  APIMessage,
} from "discord-api-types/v10";
import { findNamed, nameIn } from "../locales.ts";
import type {
  FieldInput,
  OpenForm,
  OptionInput,
  Person,
  PersonName,
  SandboxFile,
  SandboxPost,
} from "../types.ts";
import {
  allChannels,
  channelById,
  directChannelFor,
  isEventFor,
  isSeenBy,
  maySee,
} from "./channel-access.ts";
import { isObject } from "./check/check.ts";
import type { ClientActions } from "./client/client-actions.ts";
import { findButton, findChoice } from "./find-component.ts";
import { InteractionFailed, isLoading } from "./interaction.ts";
import type { PlatformState, StoredInteraction } from "./state.ts";
import { isForumChannel, isThreadArchived } from "./threads.ts";

/** Resolves when the bot has finished with an interaction. */
export type InteractionSettled = (interactionId: string) => Promise<void>;

interface PersonDeps {
  readonly state: PlatformState;
  readonly actions: ClientActions;
  /** Absent while no bot reports it; then an interaction is finished when nothing changed for a while. */
  readonly settled: () => InteractionSettled | undefined;
}

/** The person who acts, and the channel they are in. */
interface ActingPerson extends PersonDeps {
  readonly name: PersonName;
  readonly channelId: string;
  /** Deleted messages as they last were, for actions after which the message is gone. */
  readonly last: ReadonlyMap<string, APIMessage>;
}

// Long enough for a bot on the same machine to edit its reply, short enough for tests.
const quietMs = 300;
const maxRemembered = 500;

export function createPerson(
  name: PersonName,
  options: PersonDeps,
  channelId = options.state.guild.channels[0]?.id ?? "",
): Person {
  const { state, actions } = options;
  const last = rememberMessages(state, name);
  const person: ActingPerson = { ...options, name, channelId, last };

  return {
    speak: (locale) => state.speak(name, locale),

    command: async (path, values = {}) =>
      outcome(person, actions.command(name, readAct(person, path, values).act)),

    menu: async (label, message) => {
      const commandId = findPersonCommand(person, label, 3).id;
      return outcome(person, actions.menu(name, { channelId, commandId, messageId: message.id }));
    },

    click: async (message, label, nth = 1) => {
      const customId = findButton(state, message, { label, nth });
      return outcome(person, actions.component(name, { ...messagePlace(message), customId }));
    },

    choose: async (message, values) => {
      const choice = findChoice(state, message, values);
      return outcome(person, actions.component(name, { ...messagePlace(message), ...choice }));
    },

    submit: async ({ interaction_id: interactionId }, inputs) => {
      const fields = Object.fromEntries(
        Object.entries(inputs).map(([field, value]) => [field, entered(actions, value)]),
      );
      return outcome(person, actions.form(name, { channelId, interactionId, fields }));
    },

    suggest: async (path, option, text, others = {}) => {
      const beside = Object.entries(others).filter(([, value]) => !isFile(value));
      const typed = { ...Object.fromEntries(beside), [option]: text };
      const { act, ownName } = readAct(person, path, typed);
      const { choices } = await actions.suggest(name, { ...act, focused: ownName(option) });
      const locale = state.localeOf(name);
      return choices.map((choice) => ({ name: nameIn(choice, locale), value: choice.value }));
    },

    say: async (content, attached = []) => {
      const files = attached.map((file) => actions.upload(file));
      return actions.message(name, { channelId, content, files });
    },

    react: (message, emoji) => actions.react(name, { messageId: message.id, emoji }),
    type: () => actions.type(name, channelId),

    messages: (channel) =>
      messagesIn(person, channel === undefined ? channelId : findChannelId(person, channel)),
    posts(forum) {
      const here = channelById(state, channelId);
      const own = here !== undefined && isForumChannel(here) ? channelId : undefined;
      return postsIn(person, forum === undefined ? own : findChannelId(person, forum));
    },
    directMessages: () => messagesIn(person, directChannelFor(state, name).id),
    takeDirectMessages(isTaken) {
      if (isTaken) state.closedDirectChannels.delete(name);
      else state.closedDirectChannels.add(name);
    },

    in: (channel) => createPerson(name, options, findChannelId(person, channel)),
  };
}

/** Messages as a person saw them last, the newest few hundred of them. */
function rememberMessages(state: PlatformState, name: PersonName): ReadonlyMap<string, APIMessage> {
  const last = new Map<string, APIMessage>();
  state.listen((event, audience) => {
    if (event.type !== "message" || !isEventFor(state, { event, audience }, name)) return;
    last.set(event.message.id, event.message);
    const oldest = last.keys().next().value;
    if (last.size > maxRemembered && oldest !== undefined) last.delete(oldest);
  });
  return last;
}

function messagePlace({ id, channel_id: channelId }: APIMessage) {
  return { channelId, messageId: id };
}

function isFile(value: unknown): value is SandboxFile {
  return isObject(value) && value.data instanceof Uint8Array;
}

function entered(actions: ClientActions, value: FieldInput): string | readonly string[] {
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  const all = isFile(value) ? [value] : value;
  return all.map((each) => (isFile(each) ? actions.upload(each) : each));
}

function findPersonCommand(
  person: ActingPerson,
  label: string,
  type: number,
): APIApplicationCommand {
  const { state, actions, name } = person;
  const all = actions.commands(name).filter((each) => each.type === type);
  const found = findNamed(all, label, state.localeOf(name));
  if (found === undefined) throw new InteractionFailed(`The ${name} sees no command "${label}".`);
  return found;
}

/** The command, its path and its options by their own names, whichever language they were said in. */
function readAct(
  person: ActingPerson,
  path: string,
  options: Readonly<Record<string, OptionInput>>,
) {
  const { state, actions, name, channelId } = person;
  const [label = "", ...steps] = path.replace(/^\//, "").trim().split(/\s+/);
  const locale = state.localeOf(name);
  const command = findPersonCommand(person, label, 1);
  let below: readonly APIApplicationCommandOption[] = command.options ?? [];
  const ownName = (word: string): string => findNamed(below, word, locale)?.name ?? word;
  const own = steps.map((step) => {
    const found = findNamed(below, step, locale);
    below = found !== undefined && "options" in found ? (found.options ?? []) : [];
    return found?.name ?? step;
  });
  const typed = Object.entries(options).map(([option, value]) => ({
    name: ownName(option),
    value: isFile(value) ? actions.upload(value) : value,
  }));
  return { act: { channelId, commandId: command.id, path: own, options: typed }, ownName };
}

async function outcome(
  person: ActingPerson,
  interaction: StoredInteraction,
): Promise<APIMessage | OpenForm> {
  const { state, settled, last } = person;
  await interaction.answered.promise;
  if (interaction.form !== undefined) {
    return { ...interaction.form, interaction_id: interaction.id };
  }
  const finished = settled();
  if (finished === undefined) await quiet(state, interaction);
  else await finished(interaction.id);
  if (isLoading(state, interaction)) {
    throw new InteractionFailed('The bot finished and left its reply at "thinking".');
  }
  const touched = [...interaction.touched].reverse();
  const alive = touched.find((id) => state.messages.has(id)) ?? interaction.originalId;
  const stored = state.messages.get(alive ?? interaction.sourceId ?? "");
  if (stored !== undefined) return state.shown(stored);
  const gone = last.get(touched[0] ?? interaction.originalId ?? interaction.sourceId ?? "");
  if (gone !== undefined) return gone;
  throw new InteractionFailed("The bot answered without leaving a message.");
}

async function quiet(state: PlatformState, interaction: StoredInteraction): Promise<void> {
  for (;;) {
    const rest = interaction.lastChange + quietMs - performance.now();
    if (rest <= 0 && !isLoading(state, interaction)) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(rest, 20)));
  }
}

/** The id of a channel or post that the person sees, by its name, title or id. */
function findChannelId({ state, name }: ActingPerson, channel: string): string {
  const names = (each: { readonly name: string | null }) => each.name === channel;
  const found =
    allChannels(state).find(names) ??
    [...state.threads.values()].findLast((each) => names(each) || each.id === channel);
  if (found !== undefined && maySee(state, found.id, name)) return found.id;
  throw new InteractionFailed(`The ${name} sees no channel "${channel}".`);
}

function messagesIn({ state, name }: ActingPerson, id: string): readonly APIMessage[] {
  // Filtered by channel first: permissions take longer to compute, and there may be thousands of messages.
  return [...state.messages.values()]
    .filter(({ message }) => message.channel_id === id)
    .filter((stored) => isSeenBy(state, stored, name))
    .map((stored) => state.shown(stored));
}

function postsIn(person: ActingPerson, forumId: string | undefined): readonly SandboxPost[] {
  const { state, name } = person;
  return [...state.threads.values()]
    .filter(({ parentId }) => forumId === undefined || parentId === forumId)
    .filter(({ id }) => maySee(state, id, name))
    .map((thread) => {
      const forum = channelById(state, thread.parentId);
      const tags = forum !== undefined && isForumChannel(forum) ? forum.available_tags : [];
      return {
        id: thread.id,
        title: thread.name,
        tags: thread.appliedTags.flatMap((id) => tags.find((tag) => tag.id === id)?.name ?? []),
        isArchived: isThreadArchived(state, thread),
        isLocked: thread.isLocked,
        messages: messagesIn(person, thread.id),
      };
    });
}

import type {
  APIApplicationCommand,
  APIApplicationCommandOption,
  APIMessage,
} from "discord-api-types/v10";
import { findButton, findChoice } from "./find-component.ts";
import type { PersonActs } from "./platform/acts/person-acts.ts";
import { isFields } from "./platform/check/check.ts";
import { type Interaction, InteractionFailed, isLoading } from "./platform/interaction.ts";
import { findNamed, nameIn } from "./platform/locales.ts";
import {
  channelOf,
  channelsOf,
  directChannelOf,
  isSeenBy,
  maySee,
  reaches,
} from "./platform/places.ts";
import { isArchived, isForum, type Thread } from "./platform/threads.ts";
import type { World } from "./platform/world.ts";
import type {
  FieldInput,
  OpenForm,
  OptionInput,
  Person,
  PersonName,
  Post,
  SandboxFile,
} from "./types.ts";

/** Resolves when the bot has finished with an interaction. */
export type Settled = (interactionId: string) => Promise<void>;

interface PeopleOptions {
  readonly world: World;
  readonly acts: PersonActs;
  /** Absent while no bot reports it; then an interaction is finished when nothing changed for a while. */
  readonly settled: () => Settled | undefined;
}

/** Who acts, and where. */
interface Standpoint extends PeopleOptions {
  readonly name: PersonName;
  readonly channelId: string;
  /** The last state of what was deleted since, for acts whose message went away. */
  readonly last: ReadonlyMap<string, APIMessage>;
}

// Long enough for a bot on the same machine to edit its reply, short enough for tests.
const quietMs = 300;
const maxRemembered = 500;

/** One person in front of the channel, acting on the platform directly. */
export function createPerson(
  name: PersonName,
  options: PeopleOptions,
  channelId = options.world.cast.channels[0]?.id ?? "",
): Person {
  const { world, acts } = options;
  const person: Standpoint = { ...options, name, channelId, last: rememberMessages(world, name) };

  return {
    speak: (locale) => world.speak(name, locale),

    command: async (path, given = {}) =>
      outcome(person, acts.command(name, actOf(person, path, given).act)),

    menu: async (label, message) => {
      const commandId = commandOf(person, label, 3).id;
      return outcome(person, acts.menu(name, { channelId, commandId, messageId: message.id }));
    },

    click: async (message, label, nth = 1) => {
      const customId = findButton(world, message, { label, nth });
      return outcome(person, acts.component(name, { ...placeOf(message), customId }));
    },

    choose: async (message, values) => {
      const choice = findChoice(world, message, values);
      return outcome(person, acts.component(name, { ...placeOf(message), ...choice }));
    },

    submit: async ({ interaction_id: interactionId }, given) => {
      const sent = Object.entries(given).map(([field, value]) => [field, entered(acts, value)]);
      const fields = Object.fromEntries(sent);
      return outcome(person, acts.form(name, { channelId, interactionId, fields }));
    },

    suggest: (path, option, text, others = {}) =>
      suggestionsFor(person, path, { option, text, others }),

    say: async (content, files = []) =>
      acts.message(name, { channelId, content, files: files.map((file) => acts.upload(file)) }),

    react: (message, emoji) => acts.react(name, { messageId: message.id, emoji }),

    type: () => acts.type(name, channelId),

    messages: (channel) =>
      messagesIn(person, channel === undefined ? channelId : idOf(person, channel)),

    posts: (forum) => postsIn(person, forum === undefined ? ownForum(person) : idOf(person, forum)),

    directMessages: () => messagesIn(person, directChannelOf(world, name).id),

    takeDirectMessages(isTaken) {
      if (isTaken) world.closedTo.delete(name);
      else world.closedTo.add(name);
    },

    in: (channel) => createPerson(name, options, idOf(person, channel)),
  };
}

/** Messages as a person saw them last, the newest few hundred of them. */
function rememberMessages(world: World, name: PersonName): ReadonlyMap<string, APIMessage> {
  const last = new Map<string, APIMessage>();
  world.listen((event, audience) => {
    if (event.type !== "message" || !reaches(world, { event, audience }, name)) return;
    last.set(event.message.id, event.message);
    const oldest = last.keys().next().value;
    if (last.size > maxRemembered && oldest !== undefined) last.delete(oldest);
  });
  return last;
}

function placeOf({ id, channel_id: channelId }: APIMessage) {
  return { channelId, messageId: id };
}

function isFile(value: unknown): value is SandboxFile {
  return isFields(value) && value.data instanceof Uint8Array;
}

function entered(acts: PersonActs, value: FieldInput): string | readonly string[] {
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  const all = isFile(value) ? [value] : value;
  return all.map((each) => (isFile(each) ? acts.upload(each) : each));
}

function commandOf(person: Standpoint, label: string, type: number): APIApplicationCommand {
  const { world, acts, name } = person;
  const all = acts.commands(name).filter((each) => each.type === type);
  const found = findNamed(all, label, world.localeOf(name));
  if (found === undefined) throw new InteractionFailed(`The ${name} sees no command "${label}".`);
  return found;
}

/** The command, its path and its options by their own names, whichever language they were said in. */
function actOf(person: Standpoint, path: string, options: Readonly<Record<string, OptionInput>>) {
  const { world, acts, name, channelId } = person;
  const [label = "", ...steps] = path.replace(/^\//, "").trim().split(/\s+/);
  const locale = world.localeOf(name);
  const command = commandOf(person, label, 1);
  let below: readonly APIApplicationCommandOption[] = command.options ?? [];
  const ownName = (word: string): string => findNamed(below, word, locale)?.name ?? word;
  const own = steps.map((step) => {
    const found = findNamed(below, step, locale);
    below = found !== undefined && "options" in found ? (found.options ?? []) : [];
    return found?.name ?? step;
  });
  const typed = Object.entries(options).map(([option, value]) => ({
    name: ownName(option),
    value: isFile(value) ? acts.upload(value) : value,
  }));
  return { act: { channelId, commandId: command.id, path: own, options: typed }, ownName };
}

interface Typed {
  readonly option: string;
  readonly text: string;
  readonly others: Readonly<Record<string, OptionInput>>;
}

async function suggestionsFor(person: Standpoint, path: string, { option, text, others }: Typed) {
  const { world, acts, name } = person;
  const beside = Object.entries(others).filter(([, value]) => !isFile(value));
  const typed = { ...Object.fromEntries(beside), [option]: text };
  const { act, ownName } = actOf(person, path, typed);
  const { choices } = await acts.suggest(name, { ...act, focused: ownName(option) });
  const locale = world.localeOf(name);
  return choices.map((choice) => ({ name: nameIn(choice, locale), value: choice.value }));
}

async function outcome(
  person: Standpoint,
  interaction: Interaction,
): Promise<APIMessage | OpenForm> {
  const { world, settled } = person;
  await interaction.answered.promise;
  if (interaction.form !== undefined) {
    return { ...interaction.form, interaction_id: interaction.id };
  }
  const finished = settled();
  if (finished === undefined) await quiet(world, interaction);
  else await finished(interaction.id);
  if (isLoading(world, interaction)) {
    throw new InteractionFailed('The bot finished and left its reply at "thinking".');
  }
  return resultOf(person, interaction);
}

async function quiet(world: World, interaction: Interaction): Promise<void> {
  for (;;) {
    const rest = interaction.lastChange + quietMs - performance.now();
    if (rest <= 0 && !isLoading(world, interaction)) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(rest, 20)));
  }
}

function resultOf({ world, last }: Standpoint, interaction: Interaction): APIMessage {
  const touched = [...interaction.touched].reverse();
  const alive = touched.find((id) => world.messages.has(id)) ?? interaction.originalId;
  const stored = world.messages.get(alive ?? interaction.sourceId ?? "");
  if (stored !== undefined) return world.shown(stored);
  const gone = last.get(touched[0] ?? interaction.originalId ?? interaction.sourceId ?? "");
  if (gone !== undefined) return gone;
  throw new InteractionFailed("The bot answered without leaving a message.");
}

/** The id of a channel or post that the person sees, by its name, title or id. */
function idOf({ world, name }: Standpoint, channel: string): string {
  const names = (each: { readonly name: string | null }) => each.name === channel;
  const found =
    channelsOf(world).find(names) ??
    [...world.threads.values()].findLast((each) => names(each) || each.id === channel);
  if (found !== undefined && maySee(world, found.id, name)) return found.id;
  throw new InteractionFailed(`The ${name} sees no channel "${channel}".`);
}

function messagesIn({ world, name }: Standpoint, id: string): readonly APIMessage[] {
  // By channel first: what may be seen takes longer to say, and there may be thousands.
  return [...world.messages.values()]
    .filter(({ message }) => message.channel_id === id)
    .filter((stored) => isSeenBy(world, stored, name))
    .map((stored) => world.shown(stored));
}

/** The forum that the person is in; undefined elsewhere. */
function ownForum({ world, channelId }: Standpoint): string | undefined {
  const here = channelOf(world, channelId);
  return here !== undefined && isForum(here) ? channelId : undefined;
}

function postsIn(person: Standpoint, forumId: string | undefined): readonly Post[] {
  const { world, name } = person;
  return [...world.threads.values()]
    .filter(({ parentId }) => forumId === undefined || parentId === forumId)
    .filter(({ id }) => maySee(world, id, name))
    .map((thread) => postOf(person, thread));
}

function postOf(person: Standpoint, thread: Thread): Post {
  const { world } = person;
  const forum = channelOf(world, thread.parentId);
  const tags = forum !== undefined && isForum(forum) ? forum.available_tags : [];
  return {
    id: thread.id,
    title: thread.name,
    tags: thread.appliedTags.flatMap((id) => tags.find((tag) => tag.id === id)?.name ?? []),
    isArchived: isArchived(world, thread),
    isLocked: thread.isLocked,
    messages: messagesIn(person, thread.id),
  };
}

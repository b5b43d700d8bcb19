import type {
  APIApplicationCommand,
  APIApplicationCommandOption,
  APIMessage,
} from "discord-api-types/v10";
import { findButton, findChoice } from "./find-component.ts";
import type { Desk } from "./platform/acts/desk.ts";
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

export interface PeopleOptions {
  readonly world: World;
  readonly desk: Desk;
  /** Absent while no bot tells; then an interaction is finished when nothing changed for a while. */
  readonly settled: () => Settled | undefined;
}

// Long enough for a bot on the same machine to edit its reply, short enough for tests.
const quietMs = 300;
const maxRemembered = 500;

function isFile(value: unknown): value is SandboxFile {
  return isFields(value) && value.data instanceof Uint8Array;
}

async function quiet(world: World, interaction: Interaction): Promise<void> {
  for (;;) {
    const rest = interaction.lastChange + quietMs - performance.now();
    if (rest <= 0 && !isLoading(world, interaction)) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(rest, 20)));
  }
}

/** One person in front of the channel, acting on the platform directly. */
export function createPerson(
  name: PersonName,
  { world, desk, settled }: PeopleOptions,
  channelId = world.cast.channels[0]?.id ?? "",
): Person {
  // The last state of what was deleted since, for acts whose message went away.
  const last = new Map<string, APIMessage>();
  world.listen((event, audience) => {
    if (event.type !== "message" || !reaches(world, { event, audience }, name)) return;
    last.set(event.message.id, event.message);
    const oldest = last.keys().next().value;
    if (last.size > maxRemembered && oldest !== undefined) last.delete(oldest);
  });

  function idOf(channel: string): string {
    const names = (each: { readonly name: string | null }) => each.name === channel;
    const found =
      channelsOf(world).find(names) ??
      [...world.threads.values()].findLast((each) => names(each) || each.id === channel);
    if (found !== undefined && maySee(world, found.id, name)) return found.id;
    throw new InteractionFailed(`The ${name} sees no channel "${channel}".`);
  }

  function postOf(thread: Thread): Post {
    const forum = channelOf(world, thread.parentId);
    const tags = forum !== undefined && isForum(forum) ? forum.available_tags : [];
    return {
      id: thread.id,
      title: thread.name,
      tags: thread.appliedTags.flatMap((id) => tags.find((tag) => tag.id === id)?.name ?? []),
      isArchived: isArchived(world, thread),
      isLocked: thread.isLocked,
      messages: messagesIn(thread.id),
    };
  }

  function postsIn(forumId: string | undefined): readonly Post[] {
    return [...world.threads.values()]
      .filter(({ parentId }) => forumId === undefined || parentId === forumId)
      .filter(({ id }) => maySee(world, id, name))
      .map(postOf);
  }

  function messagesIn(id: string): readonly APIMessage[] {
    // By channel first: what may be seen takes longer to say, and there may be thousands.
    return [...world.messages.values()]
      .filter(({ message }) => message.channel_id === id)
      .filter((stored) => isSeenBy(world, stored, name))
      .map((stored) => world.shown(stored));
  }

  function resultOf(interaction: Interaction): APIMessage {
    const touched = [...interaction.touched].reverse();
    const alive = touched.find((id) => world.messages.has(id)) ?? interaction.originalId;
    const stored = world.messages.get(alive ?? interaction.sourceId ?? "");
    if (stored !== undefined) return world.shown(stored);
    const gone = last.get(touched[0] ?? interaction.originalId ?? interaction.sourceId ?? "");
    if (gone !== undefined) return gone;
    throw new InteractionFailed("The bot answered without leaving a message.");
  }

  async function outcome(interaction: Interaction): Promise<APIMessage | OpenForm> {
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
    return resultOf(interaction);
  }

  function commandOf(label: string, type: number): APIApplicationCommand {
    const all = desk.commands(name).filter((each) => each.type === type);
    const found = findNamed(all, label, world.localeOf(name));
    if (found === undefined) throw new InteractionFailed(`The ${name} sees no command "${label}".`);
    return found;
  }

  /** The command, its path and its options by their own names, whichever language they were said in. */
  function actOf(path: string, options: Readonly<Record<string, OptionInput>>) {
    const [label = "", ...steps] = path.replace(/^\//, "").trim().split(/\s+/);
    const locale = world.localeOf(name);
    const command = commandOf(label, 1);
    let below: readonly APIApplicationCommandOption[] = command.options ?? [];
    const ownName = (word: string): string => findNamed(below, word, locale)?.name ?? word;
    const own = steps.map((step) => {
      const found = findNamed(below, step, locale);
      below = found !== undefined && "options" in found ? (found.options ?? []) : [];
      return found?.name ?? step;
    });
    const typed = Object.entries(options).map(([option, value]) => ({
      name: ownName(option),
      value: isFile(value) ? desk.upload(value) : value,
    }));
    return { act: { channelId, commandId: command.id, path: own, options: typed }, ownName };
  }

  function entered(value: FieldInput): string | readonly string[] {
    if (typeof value === "string" || typeof value === "boolean") return String(value);
    const all = isFile(value) ? [value] : value;
    return all.map((each) => (isFile(each) ? desk.upload(each) : each));
  }

  return {
    speak: (locale) => world.speak(name, locale),

    command: async (path, options = {}) => outcome(desk.command(name, actOf(path, options).act)),

    menu: async (label, message) =>
      outcome(
        desk.menu(name, { channelId, commandId: commandOf(label, 3).id, messageId: message.id }),
      ),

    click: async (message, label, nth = 1) => {
      const customId = findButton(world, message, { label, nth });
      return outcome(
        desk.component(name, { channelId: message.channel_id, messageId: message.id, customId }),
      );
    },

    choose: async (message, values) => {
      const choice = findChoice(world, message, values);
      return outcome(
        desk.component(name, { channelId: message.channel_id, messageId: message.id, ...choice }),
      );
    },

    submit: async (form, fields) => {
      const sent = Object.entries(fields).map(([field, value]) => [field, entered(value)]);
      const interactionId = form.interaction_id;
      return outcome(
        desk.form(name, { channelId, interactionId, fields: Object.fromEntries(sent) }),
      );
    },

    suggest: async (path, option, text, others = {}) => {
      const beside = Object.entries(others).filter(([, value]) => !isFile(value));
      const { act, ownName } = actOf(path, { ...Object.fromEntries(beside), [option]: text });
      const { choices } = await desk.suggest(name, { ...act, focused: ownName(option) });
      const locale = world.localeOf(name);
      return choices.map((choice) => ({ name: nameIn(choice, locale), value: choice.value }));
    },

    say: async (content, files = []) =>
      desk.message(name, { channelId, content, files: files.map((file) => desk.upload(file)) }),

    react: (message, emoji) => desk.react(name, { messageId: message.id, emoji }),

    type: () => desk.type(name, channelId),

    messages: (channel) => messagesIn(channel === undefined ? channelId : idOf(channel)),

    posts(forum) {
      const here = channelOf(world, channelId);
      const own = here !== undefined && isForum(here) ? channelId : undefined;
      return postsIn(forum === undefined ? own : idOf(forum));
    },

    directMessages: () => messagesIn(directChannelOf(world, name).id),

    takeDirectMessages(isTaken) {
      if (isTaken) world.closedTo.delete(name);
      else world.closedTo.add(name);
    },

    in: (channel) => createPerson(name, { world, desk, settled }, idOf(channel)),
  };
}

import {
  type APIApplicationCommandInteractionDataBasicOption,
  type APIAutocompleteApplicationCommandInteractionData,
  type APIChatInputApplicationCommandInteractionData,
  type APIInteraction,
  type APIMessageApplicationCommandInteractionData,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionType,
} from "discord.js";
import { AccessError } from "../errors.ts";
import type { Answer, Ctx, Opening, OptionSet, Running } from "./command.ts";
import { decodeCustomId } from "./custom-id.ts";
import { fieldsOf } from "./form.ts";
import type { Demands } from "./guard.ts";
import type { Reply } from "./reply.ts";
import type { Routes } from "./routes.ts";

/** Work that is known before anything is asked of a store or a service. */
export interface Work {
  readonly kind: "work";
  readonly name: string;
  readonly demands: Demands;
  readonly answer: Answer;
  readonly options: Readonly<Record<string, unknown>>;
  readonly run: (ctx: Ctx) => Promise<Reply>;
}

/** A press whose meaning lies in the store. */
export interface Pressed {
  readonly kind: "press";
  readonly name: string;
  readonly answer: Answer;
  readonly handle: string;
  readonly index: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** A form, which has to be the first answer. */
export interface Opened {
  readonly kind: "open";
  readonly name: string;
  readonly demands: Demands;
  readonly opening: Opening;
}

export type Plan = Work | Pressed | Opened;

/**
 * What an interaction asks for, by one look into one map.
 * @throws InputError when an option can't be read; AccessError `too_old` for components nobody knows.
 */
export function planFor(interaction: APIInteraction, routes: Routes): Plan {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return interaction.data.type === ApplicationCommandType.ChatInput
        ? planCommand(interaction.data, routes)
        : planMenu(interaction.data as APIMessageApplicationCommandInteractionData, routes);
    case InteractionType.MessageComponent:
      return planPress(interaction.data.custom_id, {});
    case InteractionType.ModalSubmit:
      return planPress(interaction.data.custom_id, fieldsOf(interaction));
    default:
      throw tooOld("this kind of interaction");
  }
}

function planCommand(data: APIChatInputApplicationCommandInteractionData, routes: Routes): Plan {
  const { path, given } = unfold(data);
  const declaration = routes.commands.get(path);
  if (declaration === undefined) throw tooOld(`command ${path}`);
  if ("form" in declaration) {
    return { kind: "open", name: path, demands: declaration, opening: declaration };
  }
  return planRun(path, declaration, given, data);
}

function planRun(
  name: string,
  declaration: Running,
  given: readonly APIApplicationCommandInteractionDataBasicOption[],
  data: APIChatInputApplicationCommandInteractionData,
): Work {
  return {
    kind: "work",
    name,
    demands: declaration,
    answer: declaration.answer ?? "public",
    options: readOptions(declaration.options ?? {}, given, data),
    run: (ctx) => declaration.run(ctx),
  };
}

function planMenu(data: APIMessageApplicationCommandInteractionData, routes: Routes): Plan {
  const menu = routes.menus.get(data.name);
  const message = data.resolved?.messages[data.target_id];
  if (menu === undefined || message === undefined) throw tooOld(`menu ${data.name}`);
  return {
    kind: "work",
    name: data.name,
    demands: menu,
    answer: menu.answer ?? "public",
    options: {},
    run: (ctx) => menu.run(ctx, message),
  };
}

function planPress(customId: string, fields: Readonly<Record<string, string>>): Pressed {
  const decoded = decodeCustomId(customId);
  if (decoded === undefined) throw tooOld("component");
  return { kind: "press", name: "press", fields, ...decoded };
}

function readOptions(
  declared: OptionSet,
  given: readonly APIApplicationCommandInteractionDataBasicOption[],
  data: APIChatInputApplicationCommandInteractionData,
): Readonly<Record<string, unknown>> {
  const values = new Map(given.map((option) => [option.name, option]));
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, option]) => {
      const value = values.get(name);
      if (value === undefined) return [];
      const raw =
        value.type === ApplicationCommandOptionType.Attachment
          ? data.resolved?.attachments?.[value.value]
          : value.value;
      return [[name, option.parse(raw, name)]];
    }),
  );
}

/** Command, group and subcommand as one path, and the options below it. */
export function unfold(
  data:
    | APIChatInputApplicationCommandInteractionData
    | APIAutocompleteApplicationCommandInteractionData,
): {
  readonly path: string;
  readonly given: readonly APIApplicationCommandInteractionDataBasicOption[];
} {
  const names = [data.name];
  let options = data.options ?? [];
  for (;;) {
    const [first] = options;
    if (
      first?.type !== ApplicationCommandOptionType.Subcommand &&
      first?.type !== ApplicationCommandOptionType.SubcommandGroup
    ) {
      // Below a subcommand there are only plain options.
      return {
        path: names.join(" "),
        given: options as readonly APIApplicationCommandInteractionDataBasicOption[],
      };
    }
    names.push(first.name);
    options = first.options ?? [];
  }
}

export function tooOld(what: string): AccessError {
  return new AccessError(`${what} is unknown`, {
    code: "too_old",
    hint: "It comes from an earlier version or from somewhere else. Run the command again to get a fresh one.",
  });
}

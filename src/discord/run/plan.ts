import type {
  APIApplicationCommandInteractionDataBasicOption,
  APIAutocompleteApplicationCommandInteractionData,
  APIChatInputApplicationCommandInteraction,
  APIChatInputApplicationCommandInteractionData,
  APIInteraction,
  APIMessageApplicationCommandInteractionData,
} from "discord.js";
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionType,
} from "discord-api-types/v10";
import { tooOld } from "../access/authorise.ts";
import type {
  Answer,
  HandlerDeclaration,
  OptionSet,
  PressInput,
  TargetMessage,
} from "../declare/command.ts";
import type { OptionReading } from "../declare/option.ts";
import type { RequestInfo } from "../declare/request-info.ts";
import type { Routes } from "../declare/routes.ts";
import { boundedMessage, requireInputWithin, requireWithin } from "../declare/text-limits.ts";
import { withOwnName } from "../draw/attachment-name.ts";
import { noInput, readFormInput } from "../draw/form.ts";
import type { Form, Reply } from "../draw/reply.ts";
import { decodeCustomId, type PressAnswer } from "../wire/custom-id.ts";

type HandlerOptions = Readonly<Record<string, unknown>>;

/** Work that is known before any store or service is read. */
export interface PlannedWork {
  readonly kind: "work";
  readonly name: string;
  readonly declaration: HandlerDeclaration;
  readonly answer: Exclude<Answer, "update">;
  /** The linked channel that was chosen to act, by its id or its name. */
  readonly as?: string | undefined;
  /** The form that comes before the work, if there is one for these options. */
  readonly form?: ((request: RequestInfo) => Form | undefined) | undefined;
  /** Whether its reply may open a form as the first answer. */
  readonly opensForm?: boolean;
  /** Reads what could not be read without the server's settings; absent where nothing was typed. @throws InputError */
  readonly options?: ((reading: OptionReading) => Promise<HandlerOptions>) | undefined;
  /** The message that a menu was opened on. */
  readonly message?: TargetMessage;
  /** With the context that it was declared with. */
  readonly run: (ctx: never) => Promise<Reply>;
}

/** A press whose meaning lies in the store. */
export interface PlannedPress {
  readonly kind: "press";
  readonly name: string;
  readonly answer: PressAnswer;
  readonly handle: string;
  readonly index: number;
  readonly input: PressInput;
}

type InteractionPlan = PlannedWork | PlannedPress;

/**
 * What an interaction asks for, by one look into one map.
 * @throws InputError when an option can't be read; AccessError `too_old` for components nobody knows.
 */
export function planFor(interaction: APIInteraction, routes: Routes): InteractionPlan {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return isTyped(interaction)
        ? planCommand(interaction.data, routes)
        : planMenu(interaction.data as APIMessageApplicationCommandInteractionData, routes);
    case InteractionType.MessageComponent: {
      const values = "values" in interaction.data ? interaction.data.values : [];
      return planPress(interaction.data.custom_id, { ...noInput, values });
    }
    case InteractionType.ModalSubmit:
      return planPress(interaction.data.custom_id, readFormInput(interaction));
    default:
      throw tooOld("this kind of interaction");
  }
}

export function planCommand(
  data: APIChatInputApplicationCommandInteractionData,
  routes: Routes,
): PlannedWork {
  const { path, typedOptions } = readCommandPath(data);
  const route = routes.commands.get(path);
  if (route === undefined) throw tooOld(`command ${path}`);
  const { declaration } = route;
  const parsed = parseOptions(route.options, typedOptions, data);
  const handled = declaration.run === undefined ? undefined : declaration;
  const stricter = handled?.stricterFor?.(parsed);
  const given = Object.keys(parsed).filter((name) => name !== "as");
  return {
    kind: "work",
    name: path,
    declaration: stricter ?? declaration,
    answer: stricter?.answer ?? handled?.answer ?? "public",
    as: typeof parsed.as === "string" ? parsed.as : undefined,
    // The values were made by the same declaration that reads them.
    form: declaration.form && ((request) => declaration.form?.(request, parsed as never)),
    opensForm: given.length === 1 && given[0] === handled?.opensWith,
    options:
      typedOptions.length === 0
        ? undefined
        : (reading) => readOptions(route.options, parsed, reading),
    run: handled?.run ?? refuseFormless,
  };
}

/** For a command that only has a form, where its form did not open for these options. */
function refuseFormless(): never {
  throw new TypeError("a command has nothing but a form");
}

function planMenu(
  data: APIMessageApplicationCommandInteractionData,
  routes: Routes,
): InteractionPlan {
  const menu = routes.menus.get(data.name);
  const target = data.resolved?.messages[data.target_id];
  if (menu === undefined || target === undefined) throw tooOld(`menu ${data.name}`);
  const message = boundedMessage({ ...target, attachments: target.attachments.map(withOwnName) });
  return {
    kind: "work",
    name: data.name,
    declaration: menu,
    answer: menu.answer ?? "public",
    message,
    run: (ctx) => menu.run(ctx, message),
  };
}

function planPress(customId: string, input: PressInput): PlannedPress {
  const decoded = decodeCustomId(customId);
  if (decoded === undefined) throw tooOld("component");
  requireInputWithin(input);
  return { kind: "press", name: "press", input, ...decoded };
}

function parseOptions(
  declared: OptionSet,
  typed: readonly APIApplicationCommandInteractionDataBasicOption[],
  { resolved }: APIChatInputApplicationCommandInteractionData,
): HandlerOptions {
  /** For files and channels, what the interaction says about them. */
  const value = (option: APIApplicationCommandInteractionDataBasicOption): unknown => {
    if (option.type === ApplicationCommandOptionType.Channel) {
      return resolved?.channels?.[option.value];
    }
    if (option.type !== ApplicationCommandOptionType.Attachment) return option.value;
    const attachment = resolved?.attachments?.[option.value];
    return attachment && withOwnName(attachment);
  };
  const parsed: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(declared)) {
    const given = typed.find((one) => one.name === name);
    if (given === undefined) continue;
    if ("value" in given) requireWithin(given.value, option, name);
    parsed[name] = option.parse(value(given), name);
  }
  return parsed;
}

async function readOptions(
  declared: OptionSet,
  parsed: HandlerOptions,
  reading: OptionReading,
): Promise<HandlerOptions> {
  const read = { ...parsed };
  for (const [name, value] of Object.entries(parsed)) {
    const later = declared[name]?.read;
    if (later !== undefined) read[name] = await later(String(value), name, reading);
  }
  return read;
}

/** Whether it is a command that was typed. */
export function isTyped(
  interaction: APIInteraction,
): interaction is APIChatInputApplicationCommandInteraction {
  return (
    interaction.type === InteractionType.ApplicationCommand &&
    interaction.data.type === ApplicationCommandType.ChatInput
  );
}

/** Command, group and subcommand as one path, and the options below it. */
export function readCommandPath(
  data:
    | APIChatInputApplicationCommandInteractionData
    | APIAutocompleteApplicationCommandInteractionData,
): {
  readonly path: string;
  readonly typedOptions: readonly APIApplicationCommandInteractionDataBasicOption[];
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
        typedOptions: options as readonly APIApplicationCommandInteractionDataBasicOption[],
      };
    }
    names.push(first.name);
    options = first.options ?? [];
  }
}

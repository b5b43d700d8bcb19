import type { REST, RESTPostAPIApplicationCommandsJSONBody } from "discord.js";
import { ApplicationCommandType, Routes } from "discord-api-types/v10";

type RegisteredCommand = RESTPostAPIApplicationCommandsJSONBody & { readonly id?: string };

interface RegisteredCommands {
  /** Whether Discord had others. */
  readonly isChanged: boolean;
  /** The id of each slash command by its name, for mentions. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Sends Discord the commands where they differ from what it has. */
export async function registerCommands(
  rest: REST,
  applicationId: string,
  wanted: readonly RegisteredCommand[],
): Promise<RegisteredCommands> {
  const route = Routes.applicationCommands(applicationId);
  const query = new URLSearchParams({ with_localizations: "true" });
  const present = (await rest.get(route, { query })) as readonly RegisteredCommand[];
  if (agree(wanted, present)) return { isChanged: false, ids: slashIds(present) };
  const put = (await rest.put(route, { body: wanted })) as readonly RegisteredCommand[];
  return { isChanged: true, ids: slashIds(put) };
}

function slashIds(commands: readonly RegisteredCommand[]): ReadonlyMap<string, string> {
  const isSlash = ({ type }: RegisteredCommand) =>
    type === undefined || type === ApplicationCommandType.ChatInput;
  return new Map(
    commands.flatMap((one) => (isSlash(one) && one.id !== undefined ? [[one.name, one.id]] : [])),
  );
}

function agree(
  wanted: readonly RegisteredCommand[],
  present: readonly RegisteredCommand[],
): boolean {
  const key = (definition: RegisteredCommand) => `${definition.type} ${definition.name}`;
  const byKey = new Map(present.map((definition) => [key(definition), definition]));
  return (
    wanted.length === present.length &&
    wanted.every((definition) => covers(byKey.get(key(definition)), definition))
  );
}

/** Whether `present` has everything in `wanted`; Discord adds ids and leaves out what is empty or false. */
function covers(present: unknown, wanted: unknown): boolean {
  if (isEmpty(wanted)) return isEmpty(present);
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(present) &&
      present.length === wanted.length &&
      wanted.every((item, at) => covers(present[at], item))
    );
  }
  if (typeof wanted !== "object" || wanted === null) return present === wanted;
  if (typeof present !== "object" || present === null) return false;
  return Object.entries(wanted).every(([name, value]) =>
    covers((present as Record<string, unknown>)[name], value),
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

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
  const key = ({ type, name }: RegisteredCommand) => `${type} ${name}`;
  const byKey = new Map(present.map((one) => [key(one), one]));
  const isSame =
    wanted.length === present.length && wanted.every((one) => covers(byKey.get(key(one)), one));
  if (isSame) return { isChanged: false, ids: slashIds(present) };
  const put = (await rest.put(route, { body: wanted })) as readonly RegisteredCommand[];
  return { isChanged: true, ids: slashIds(put) };
}

function slashIds(commands: readonly RegisteredCommand[]): ReadonlyMap<string, string> {
  return new Map(
    commands.flatMap(({ id, name, type = ApplicationCommandType.ChatInput }) =>
      type === ApplicationCommandType.ChatInput && id !== undefined ? [[name, id]] : [],
    ),
  );
}

/** Whether `present` has everything in `wanted`; Discord adds ids and leaves out what is empty or false. */
function covers(present: unknown, wanted: unknown): boolean {
  if (isEmpty(wanted)) return isEmpty(present);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(present) || present.length !== wanted.length) return false;
    return wanted.every((item, at) => covers(present[at], item));
  }
  if (typeof wanted !== "object" || wanted === null) return present === wanted;
  if (typeof present !== "object" || present === null) return false;
  return Object.entries(wanted).every(([name, value]) =>
    covers((present as Record<string, unknown>)[name], value),
  );
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false;
}

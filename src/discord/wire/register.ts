import { type REST, type RESTPostAPIApplicationCommandsJSONBody, Routes } from "discord.js";

type Definition = RESTPostAPIApplicationCommandsJSONBody;

/** Tells Discord the commands when they differ from what it has. Answers whether it had to. */
export async function registerCommands(
  rest: REST,
  applicationId: string,
  wanted: readonly Definition[],
): Promise<boolean> {
  const route = Routes.applicationCommands(applicationId);
  const query = new URLSearchParams({ with_localizations: "true" });
  const present = (await rest.get(route, { query })) as readonly Definition[];
  if (agree(wanted, present)) return false;
  await rest.put(route, { body: wanted });
  return true;
}

function agree(wanted: readonly Definition[], present: readonly Definition[]): boolean {
  const key = (definition: Definition) => `${definition.type} ${definition.name}`;
  const byKey = new Map(present.map((definition) => [key(definition), definition]));
  return (
    wanted.length === present.length &&
    wanted.every((definition) => covers(byKey.get(key(definition)), definition))
  );
}

/** Whether `present` says all that `wanted` does; Discord adds ids and leaves out what is empty or false. */
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

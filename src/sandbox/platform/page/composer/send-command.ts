import type { TypedOption } from "../../protocol.ts";
import type { PageSession } from "../page-session.ts";
import type { CommandEntry } from "./command-index.ts";
import { type Field, valueOfField } from "./field.ts";

/** Uploads the line's files and gives the command to the platform; rejects with an `ActError`. */
export async function sendCommand(
  session: PageSession,
  entry: CommandEntry,
  fields: readonly Field[],
): Promise<void> {
  const { channelId } = session.state;
  const options: TypedOption[] = [];
  for (const field of fields) {
    const value = field.file ? await session.acts.upload(field.file) : valueOfField(field);
    if (value !== undefined) options.push({ name: field.option.name, value });
  }
  const { commandId, path, name } = entry;
  await session.command({ channelId, commandId, path, options }, name);
}

/** What is typed so far, unchecked, for suggestions; the cursor's option as its bare text. */
export function typedSoFar(fields: readonly Field[], focused: Field): readonly TypedOption[] {
  return fields.flatMap((field) => {
    const value = field === focused ? field.text : valueOfField(field);
    // A number that is none yet has no value; a file travels with the command only.
    const isSent = value !== undefined && !Number.isNaN(value) && field.file === undefined;
    return isSent ? [{ name: field.option.name, value }] : [];
  });
}

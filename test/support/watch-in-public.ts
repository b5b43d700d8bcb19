import type { APIMessage } from "discord-api-types/v10";
import type { OptionInput, Person } from "../../src/sandbox/types.ts";
import { asMessage } from "./stage.ts";

/** Sets a watch in a channel that everyone can read, and confirms; `agree` is the button in the person's language. */
export async function watchInPublic(
  person: Pick<Person, "command" | "click">,
  options: Readonly<Record<string, OptionInput>>,
  agree = "Continue anyway",
): Promise<APIMessage> {
  const question = asMessage(await person.command("watch channel", options));
  return asMessage(await person.click(question, agree));
}

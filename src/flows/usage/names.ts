import type { Words } from "../../discord/index.ts";

/** A count carries a command's path, a menu's title, or the name of an action: a button's, or a form's. */
export function nameOf(command: string, words: Words): string {
  const menu = words.find(`${command.toLowerCase().replaceAll(" ", "-")}.title`);
  if (/^[A-Z]/u.test(command)) return menu ?? command;
  const [top = ""] = command.split(/[ .]/u);
  if (words.find(`${top}.command.description`) === undefined)
    return words.say("usage.other_buttons");
  if (!command.includes(".")) return words.command(command);
  return words.say("usage.buttons", { command: words.command(top) });
}

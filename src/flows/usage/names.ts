import type { Words } from "../../discord/index.ts";

/** A count carries a command's path, a menu's title, or the name of an action: a button's, or a form's. */
export function nameOf(command: string, words: Words): string {
  // Only menus begin so; of an action the same key may be a sentence that wants to be filled in.
  if (/^[A-Z]/u.test(command)) return titleOf(command, words) ?? command;
  const [top = ""] = command.split(/[ .]/u);
  if (words.find(`${top}.command.description`) === undefined)
    return words.say("usage.other_buttons");
  if (!command.includes(".")) return words.command(command);
  return words.say("usage.buttons", { command: words.command(top) });
}

function titleOf(menu: string, words: Words): string | undefined {
  return words.find(`${menu.toLowerCase().replaceAll(" ", "-")}.title`);
}

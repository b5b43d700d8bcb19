import type { Words } from "../../discord/index.ts";

/** What was spent is counted under a command's path, a menu's title, or the name of a button's or form's action. */
export function nameOf(command: string, words: Words): string {
  // Only menus begin with a capital; an action's key may name a sentence with placeholders.
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

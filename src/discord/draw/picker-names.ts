import type { Language } from "../../language/index.ts";

type Find = Language["find"];

/** A command as the person's picker calls it: `/connect key`, `/verbinden schlüssel`. */
export function commandName(path: string, find: Find): string {
  const [command = "", ...sub] = path.split(" ");
  const top = find(`${command}.command.name`) ?? command;
  const below = sub.map((name) => find(`${command}.command.${name}.name`) ?? name);
  return `/${[top, ...below].join(" ")}`;
}

/** An option as the person's picker calls it in that command; its own name where the command is not known. */
export function optionName(name: string, path: string | undefined, find: Find): string {
  const own = path === undefined ? undefined : find(`${keysOf(path)}.options.${name}.name`);
  return own ?? find(`options.${name}.name`) ?? name;
}

function keysOf(path: string): string {
  const [command, ...sub] = path.split(" ");
  return [command, "command", ...sub].join(".");
}

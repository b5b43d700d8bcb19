import { notice } from "../draw/reply.ts";
import type { Action, Command, HandledAction, Menu, OptionSet, Subcommand } from "./command.ts";
import type { CommandCatalogue } from "./definitions.ts";
import type { NotificationSpec } from "./events.ts";
import type { InteractionContext } from "./interaction-context.ts";
import type { CommandInfo } from "./request-info.ts";

/** A subcommand with its options. */
export interface Route {
  readonly declaration: Subcommand;
  readonly options: OptionSet;
}

/** Everything a person can start, by the name under which an interaction asks for it. */
export interface Routes {
  /** `search`, `playlists list`. */
  readonly commands: ReadonlyMap<string, Route>;
  /** The same commands, as people are told about them. */
  readonly listed: readonly CommandInfo[];
  /** By title. */
  readonly menus: ReadonlyMap<string, Menu>;
  /** By name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** By name. */
  readonly notifications: ReadonlyMap<string, NotificationSpec>;
}

/** What "Cancel" does below every question. */
const askCancel: HandledAction<InteractionContext> = {
  name: "ask.cancel",
  answer: "update",
  by: "requester",
  run: async ({ words }) =>
    notice({
      tone: "neutral",
      title: words.say("common.cancelled.title"),
      text: words.say("common.cancelled.text"),
    }),
};

/** `ours` are actions that belong to no command. @throws TypeError when two declarations share a name. */
export function collectRoutes(catalogue: CommandCatalogue, ours: readonly Action[] = []): Routes {
  const commands = new Map<string, Route>();
  const listed: CommandInfo[] = [];
  const menus = new Map<string, Menu>();
  const actions = new Map<string, Action>();
  const events = new Map<string, NotificationSpec>();
  for (const action of [askCancel, ...ours]) add(actions, action.name, action);
  for (const [name, entry] of catalogue) {
    if (entry.kind === "menu") add(menus, entry.title, entry);
    else {
      for (const [path, declaration] of commandPaths(name, entry)) {
        const { rank = "member", options = {} } = declaration;
        add(commands, path, { declaration, options });
        listed.push({ path, rank, options: Object.keys(options) });
      }
      for (const event of entry.notifications ?? []) add(events, event.name, event);
    }
    for (const action of entry.actions ?? []) share(actions, action);
  }
  return { commands, listed, menus, actions, notifications: events };
}

export function commandPaths(name: string, entry: Command): [string, Subcommand][] {
  if (entry.run !== undefined) return [[name, entry.run]];
  return Object.entries(entry.subcommands ?? {}).map(([sub, declaration]) => [
    `${name} ${sub}`,
    declaration,
  ]);
}

function add<T>(map: Map<string, T>, name: string, entry: T): void {
  if (map.has(name)) throw new TypeError(`two declarations are called ${name}`);
  map.set(name, entry);
}

/** Several commands may offer the very same action. */
function share(actions: Map<string, Action>, action: Action): void {
  if (actions.get(action.name) !== action) add(actions, action.name, action);
}

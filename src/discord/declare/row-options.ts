import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import { limits } from "../draw/limits.ts";
import { linkedChannels } from "../suggestions/linked-channels.ts";
import type { OptionSet, Subcommand } from "./command.ts";
import type { Output } from "./ctx.ts";
import { actsAsChannel } from "./demands.ts";
import { type Extra, freePlaces, readExtra, suggestExtra } from "./extra.ts";
import type { Option } from "./option.ts";
import { option } from "./options.ts";
import { longestTexts } from "./text-limits.ts";

const outputs = ["list", "csv", "json", "raw"] as const satisfies readonly Output[];

/**
 * A subcommand's options: its own, `as` where one of several linked channels may act, `output` where its row answers a
 * list, and `extra` for what else the row takes.
 * @throws TypeError when they are more than a command holds
 */
export function optionsFor(declaration: Subcommand): OptionSet {
  const { row, options = {} } = declaration;
  if (declaration.run === undefined) return options;
  const acting = actsAsChannel(declaration)
    ? { as: option.text({ max: longestTexts.id, suggest: linkedChannels }) }
    : {};
  if (row === undefined) return { ...options, ...acting };
  const covered = new Set([
    ...Object.values<Option>(options).flatMap(({ covers }) => covers ?? []),
    ...(declaration.decides ?? []),
  ]);
  const spec: MethodSpec = methods[row];
  const isList = spec.effect === "read" && spec.result?.kind === "list";
  const all = {
    ...options,
    ...acting,
    ...(isList ? { output: option.choice({ group: "output", values: outputs }) } : {}),
    ...(freePlaces(row, covered).size > 0 ? { extra: extraOption(row, covered) } : {}),
  };
  const count = Object.keys(all).length;
  if (count > limits.command.options) throw new TypeError(`${row}: ${count} options`);
  return all;
}

/** The row's parameters among what was typed, in options of their own and in `extra`. */
export function typedParams(
  options: OptionSet,
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = Object.entries(options).flatMap(([name, { covers }]) =>
    covers === undefined || parsed[name] === undefined ? [] : [[covers, parsed[name]]],
  );
  const extra = parsed.extra as Extra | undefined;
  return { ...Object.fromEntries(own), ...extra?.query };
}

function extraOption(row: Method, covered: ReadonlySet<string>): Option<Extra> {
  return {
    type: "string",
    required: false,
    parse: (value) => readExtra(row, covered, String(value)),
    suggest: async (typed) => suggestExtra(row, covered, typed),
  };
}

import {
  basicOption as discordOption,
  limits,
  longestTexts,
  type Option,
  type OptionFor,
  type OptionSet,
  type OptionSpec,
} from "../../discord/index.ts";
import { type Method, type MethodParams, type MethodSpec, methods } from "../../video/index.ts";
import { actsAsChannel, type Demands, type Output } from "../context/index.ts";
import {
  type Extra,
  type FieldType,
  freePlaces,
  type MethodPlace,
  noExtra,
  placeSpec,
  readExtra,
  suggestExtra,
  withPlace,
} from "../extra/index.ts";
import { linkedChannels } from "../suggestions/index.ts";

/** The part of a subcommand that its options follow from. */
interface OptionsDeclaration extends Demands {
  readonly options?: OptionSet;
  /** Parameters of the method that neither an option nor `extra` sets: the handler decides them. */
  readonly decides?: readonly string[];
}

const outputs = ["list", "csv", "json", "raw"] as const satisfies readonly Output[];

/**
 * A subcommand's options: its own, `as` if it can act as one of several linked channels, `output` if its method returns a
 * list, and `extra` for the method's other parameters.
 * @throws TypeError when there are more than a command can have, or one covers what the method does not have
 */
export function optionsFor(declaration: OptionsDeclaration): OptionSet {
  const { method, options = {} } = declaration;
  const acting = actsAsChannel(declaration)
    ? { as: discordOption.text({ max: longestTexts.id, suggest: linkedChannels }) }
    : {};
  if (method === undefined) return { ...options, ...acting };
  const places = Object.values<Option>(options).flatMap(({ covers }) => covers ?? []);
  for (const place of places) placeSpec(method, place);
  const covered = new Set([...places, ...(declaration.decides ?? [])]);
  const spec: MethodSpec = methods[method];
  const isList = spec.effect === "read" && spec.result?.kind === "list";
  const extra: Option<Extra> = {
    type: "string",
    required: false,
    parse: (value) => readExtra(method, covered, String(value)),
    suggest: async (typed) => suggestExtra(method, covered, typed),
  };
  const all = {
    ...options,
    ...acting,
    ...(isList ? { output: discordOption.choice({ group: "output", values: outputs }) } : {}),
    ...(freePlaces(method, covered).size > 0 ? { extra } : {}),
  };
  const count = Object.keys(all).length;
  if (count > limits.command.options) throw new TypeError(`${method}: ${count} options`);
  return all;
}

interface CoveredParams<M extends Method> extends Extra {
  readonly query: Partial<MethodParams<M>>;
}

/** What the values of options set in a call, by what the options cover; absent ones set nothing. For `withExtra`. */
export function coveredParams<M extends Method>(
  method: M,
  options: OptionSet,
  values: Readonly<Record<string, unknown>>,
): CoveredParams<M> {
  let covered = noExtra;
  for (const [name, { covers: place }] of Object.entries(options)) {
    const given = values[name];
    if (place === undefined || given === undefined) continue;
    const spec = placeSpec(method, place);
    const isList = "repeated" in spec && spec.repeated && !Array.isArray(given);
    const value = given instanceof Date ? given.toISOString() : isList ? [given] : given;
    covered = withPlace(covered, { method, place, value });
  }
  // The client checks the whole call before it is sent.
  return covered as CoveredParams<M>;
}

/** The method's parameters that were typed, in options of their own and in `extra`. */
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

/**
 * An option for a parameter or body field of a method, with everything that the method says about it: choices, bounds, length.
 * Choices are labelled `choices.<group>`, the place's last name unless `group` says otherwise.
 */
export function methodField<
  M extends Method,
  const P extends MethodPlace<M>,
  const S extends OptionSpec & { group?: string },
>(method: M, place: P, spec: S = {} as S): OptionFor<S, FieldType<M, P>> {
  const { suggest, required } = spec;
  const base = { covers: place, ...(suggest && { suggest }), ...(required && { required }) };
  // Here the method's facts, which are values, become the option's type.
  return fieldOption(method, place, base, spec.group) as unknown as OptionFor<S, FieldType<M, P>>;
}

function fieldOption(method: Method, place: string, base: OptionSpec, group?: string): Option {
  const fact = placeSpec(method, place);
  if (fact.enum !== undefined) {
    return discordOption.choice({
      ...base,
      group: group ?? place.slice(place.lastIndexOf(".") + 1),
      values: fact.enum,
    });
  }
  const { min, max, maxChars } = fact;
  switch (fact.type) {
    case "integer":
      return discordOption.integer({
        ...base,
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
      });
    case "boolean":
      return discordOption.flag(base);
    case "datetime":
      return discordOption.date(base);
    case "strings":
      return discordOption.words(base);
    default:
      return discordOption.text({
        ...base,
        ...(maxChars !== undefined && { max: Math.min(maxChars, longestTexts.any) }),
      });
  }
}

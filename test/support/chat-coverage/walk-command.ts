import type { APIMessage, APIMessageComponent } from "discord-api-types/v10";
import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type { Route } from "../../../src/discord/declare/routes.ts";
import type { OpenForm, OptionInput } from "../../../src/sandbox/index.ts";
import { type MethodSpec, methods } from "../../../src/video/index.ts";
import { photo, type Stage } from "../stage.ts";
import { type Filled, fillRequired, type KnownValues } from "./fill-options.ts";

/** A command with its options, as a person types it. */
export interface Typed {
  readonly path: string;
  readonly options: Filled;
}

export interface Walking {
  readonly stage: Stage;
  readonly path: string;
  readonly route: Route;
  readonly known: KnownValues;
  /** What a free place or an option takes, by its name. */
  readonly values: Readonly<Record<string, OptionInput>>;
}

/** The command with nothing but what it needs, with each option, and with each place that `extra` offers. */
export async function* variantsOf(walking: Walking): AsyncIterable<Typed> {
  const { stage, path, route, known, values } = walking;
  const needed = () => fillRequired(stage, path, route, known);
  yield { path, options: await needed() };
  for (const [name, option] of Object.entries(route.options)) {
    if (option.required || name === "extra") continue;
    const value = values[`${path} ${name}`] ?? values[name] ?? option.choices?.values[0];
    const given =
      value ??
      (option.type === "boolean"
        ? true
        : option.type === "attachment"
          ? await photo("coffee")
          : option.type === "integer" || option.type === "number"
            ? 1
            : undefined);
    if (given === undefined) throw new Error(`no value for ${path} ${name}`);
    yield { path, options: { ...(await needed()), [name]: given } };
  }
  for (const place of await extraPlaces(walking)) {
    const value = values[`${path} extra ${place}`] ?? values[`extra ${place}`];
    if (value === undefined) throw new Error(`no value for ${place} in the extra of /${path}`);
    yield { path, options: { ...(await needed()), extra: `${value}` } };
  }
}

/** What its autocomplete offers, as a person finds it. */
export async function extraPlaces({ stage, path, route }: Walking): Promise<readonly string[]> {
  if (route.options.extra === undefined) return [];
  const found = await stage.sandbox.user("owner").suggest(path, "extra", "");
  return found.map(({ value }) => String(value).replace(/=$/u, ""));
}

/** Types it, and goes on through forms and questions until the row was asked for, or nothing leads on. */
export async function walk(stage: Stage, { path, options }: Typed, { declaration }: Route) {
  const { row } = declaration;
  const before = stage.videoRequests.length;
  const isAsked = () => stage.videoRequests.slice(before).some(({ method }) => method === row);
  const owner = stage.sandbox.user("owner");
  let answer = await owner.command(path, options);
  for (let step = 0; step < 4; step += 1) {
    if ("interaction_id" in answer) {
      answer = await owner.submit(answer, fieldsOf(answer));
      continue;
    }
    const label = onwards(answer as APIMessage, row !== undefined && isRead(methods[row]));
    if (label === undefined || (isAsked() && row !== undefined && !isRead(methods[row]))) break;
    answer = await owner.click(answer as APIMessage, label);
    if (row !== undefined && isRead(methods[row])) break;
  }
  return answer;
}

function isRead({ effect }: MethodSpec): boolean {
  return effect === "read";
}

/** Of a list its next page, of a question its answer. */
function onwards(message: APIMessage, isList: boolean): string | undefined {
  const buttons = buttonsIn(message.components ?? []);
  if (isList) return buttons.find(({ label }) => label === "Next")?.label;
  const order = [ButtonStyle.Danger, ButtonStyle.Success, ButtonStyle.Primary];
  return order.flatMap((style) => buttons.filter((one) => one.style === style))[0]?.label;
}

interface Pressable {
  readonly label: string;
  readonly style: number;
}

function buttonsIn(components: readonly APIMessageComponent[]): readonly Pressable[] {
  return components.flatMap((one): readonly Pressable[] => {
    if ("components" in one) return buttonsIn(one.components as readonly APIMessageComponent[]);
    const isButton = one.type === ComponentType.Button && "label" in one && "custom_id" in one;
    return isButton ? [{ label: one.label ?? "", style: one.style }] : [];
  });
}

/** Something in each text that has to be filled. */
function fieldsOf(form: OpenForm): Record<string, string> {
  const texts = JSON.stringify(form.components).matchAll(
    /"custom_id":"([^"]+)"[^{}]*?"type":4|"type":4[^{}]*?"custom_id":"([^"]+)"/gu,
  );
  const names = [...texts].map(([, one, other]) => one ?? other ?? "");
  return Object.fromEntries(names.map((name) => [name, "Low tide"]));
}

import type { APIMessage, APIMessageComponent } from "discord-api-types/v10";
import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type { Route } from "../../../src/discord/declare/routes.ts";
import { placeSpec } from "../../../src/features/extra/method-fields.ts";
import type { OpenForm } from "../../../src/sandbox/index.ts";
import { type MethodSpec, methods } from "../../../src/video/index.ts";
import { demandsOf } from "../demands-of.ts";
import { asMessage, fetchBytes, type Stage } from "../stage.ts";
import { type Filled, fillRequired, type KnownValues, optionValue } from "./fill-options.ts";
import { beside, extraValues, scenarios } from "./values.ts";

/** A command with its options, as a person types it. */
export interface Typed {
  readonly path: string;
  readonly options: Filled;
  /** The parameter or field that `extra` sets. */
  readonly place?: string;
}

export interface Walking {
  readonly stage: Stage;
  readonly path: string;
  readonly route: Route;
  readonly known: KnownValues;
}

/**
 * The command with what it requires, with each option, with each parameter that `extra` suggests, and the uses in
 * `scenarios`.
 */
export async function* variantsOf(walking: Walking): AsyncIterable<Typed> {
  const { path, route } = walking;
  yield { path, options: await needed(walking) };
  for (const [name, option] of Object.entries(route.options)) {
    if (option.required || name === "extra" || name === "as" || name === "output") continue;
    const options = await needed(walking);
    const value = await optionValue(walking, { path, name, option }, options);
    yield { path, options: { ...options, [name]: value } };
  }
  for (const [at, options] of scenarios) {
    if (at === path) yield { path, options: { ...(await needed(walking)), ...options } };
  }
  for (const place of await extraPlaces(walking)) {
    const value = place === "pageToken" ? await firstToken(walking) : extraValue(walking, place);
    const extra = `${place.replace("*", "fr")}=${value}`;
    yield { path, options: { ...(await needed(walking)), extra }, place };
  }
}

async function needed({ stage, path, route, known }: Walking): Promise<Filled> {
  return { ...(await fillRequired(stage, path, route, known)), ...beside[path] };
}

/** Taken from YouTube's own answer, which is where people get it from. */
async function firstToken(walking: Walking): Promise<string> {
  const { stage, path } = walking;
  const options = { ...(await needed(walking)), output: "raw", extra: "maxResults=1" };
  const message = asMessage(await stage.sandbox.user("owner").command(path, options));
  const answer = JSON.parse(String(await fetchBytes(message.attachments[0]?.url ?? "")));
  return answer.nextPageToken ?? "";
}

function extraValue({ path, known, route: { declaration } }: Walking, place: string): string {
  const own = known[`${path} extra ${place}`];
  if (own !== undefined) return own;
  const typed = extraValues[`${path} ${place}`] ?? extraValues[place];
  if (typed !== undefined) return typed;
  const { method } = demandsOf(declaration);
  const spec = method && placeSpec(method, place);
  const first = spec?.enum?.at(-1);
  if (first !== undefined) return first;
  if (spec?.type === "boolean") return "true";
  if (spec?.type === "integer") return `${spec.min ?? 1}`;
  if (spec?.type === "datetime") return "2026-01-31T12:00:00Z";
  return "Low tide";
}

/** The suggestions of its autocomplete. */
export async function extraPlaces({ stage, path, route }: Walking): Promise<readonly string[]> {
  if (route.options.extra === undefined) return [];
  const found = await stage.sandbox.user("owner").suggest(path, "extra", "");
  return found.map(({ value }) => String(value).replace(/=$/u, ""));
}

/**
 * Types the command, and goes on through forms and questions until the method was called; for a list, to its next page.
 */
export async function walk(stage: Stage, { path, options }: Typed, { declaration }: Route) {
  const { method } = demandsOf(declaration);
  const spec: MethodSpec | undefined = method && methods[method];
  const before = stage.videoRequests.length;
  const isDone = () =>
    stage.videoRequests.slice(before).some((request) => request.method === method);
  const owner = stage.sandbox.user("owner");
  const isList = spec === undefined || spec.result?.kind === "list";
  let answer = await owner.command(path, options);
  for (let step = 0; step < (isList ? 1 : 4); step += 1) {
    if ("interaction_id" in answer) {
      answer = await owner.submit(answer, fieldsOf(answer));
      continue;
    }
    const message = answer as APIMessage;
    const label = isList ? nextOf(message) : onwards(message, spec?.effect === "destroy");
    if (label === undefined || (isDone() && !isList)) break;
    answer = await owner.click(message, label);
  }
  return answer;
}

function nextOf(message: APIMessage): string | undefined {
  return buttonsIn(message.components ?? []).find(({ label }) => label === "Next")?.label;
}

/** The button that confirms a question. */
function onwards(message: APIMessage, isDestroying: boolean): string | undefined {
  const buttons = buttonsIn(message.components ?? []);
  const order = [ButtonStyle.Primary, ButtonStyle.Success, ButtonStyle.Danger];
  if (isDestroying) order.reverse();
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

/** Fills every required text that is empty. */
function fieldsOf(form: OpenForm): Record<string, string> {
  const empty: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { type, custom_id: name, required, value } = part as Readonly<Record<string, unknown>>;
    if (type === ComponentType.TextInput && required !== false && !value) empty.push(String(name));
    for (const below of Object.values(part)) visit(below);
  };
  visit(form.components);
  return Object.fromEntries(empty.map((name) => [name, "Low tide"]));
}

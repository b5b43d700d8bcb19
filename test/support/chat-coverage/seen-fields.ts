import {
  type APIMessage,
  type APIStringSelectComponent,
  ComponentType,
} from "discord-api-types/v10";
import type { Route } from "../../../src/discord/declare/routes.ts";
import { asMessage, fetchBytes, type Stage } from "../stage.ts";
import { words } from "../words.ts";
import { fillRequired, type KnownValues } from "./fill-options.ts";
import {
  type FieldPlace,
  markedAnswer,
  markedFields,
  placesIn,
  responseOf,
} from "./marked-answers.ts";
import { extraPlaces, type Typed } from "./walk-command.ts";

/** Makes the stand-in answer every read with a unique value in each field. */
export function answerMarked({ sandbox }: Stage): void {
  sandbox.video.faults.add({
    method: "GET",
    path: /^\/youtube\/v3\/(?!captions\/)[\w/]+\?/u,
    kind: "answer",
    status: 200,
    headers: { "content-type": "application/json" },
    body: (url) => markedAnswer(url) ?? "{}",
  });
}

/** The fields whose values a message shows, files left out. */
export function fieldsShown(message: APIMessage): readonly FieldPlace[] {
  const text = JSON.stringify([message.content, message.embeds, message.components]);
  return [...markedFields.values()]
    .filter(({ shown }) => shown.some((one) => isShown(text, one)))
    .map(({ place }) => place);
}

/** A number must stand alone, because it could be part of another. */
function isShown(text: string, value: string): boolean {
  return /^\d+$/u.test(value)
    ? new RegExp(`(?<![\\w:])${value}(?!\\w)`, "u").test(text)
    : text.includes(value);
}

export interface Looking {
  readonly stage: Stage;
  readonly path: string;
  readonly route: Route;
  readonly known: KnownValues;
}

/** The parts that the command's `extra` option suggests. */
export async function offeredParts(looking: Looking): Promise<readonly string[]> {
  if (!(await extraPlaces(looking)).includes("part")) return [];
  const found = await looking.stage.sandbox.user("owner").suggest(looking.path, "extra", "part=");
  return found.map(({ value }) => String(value).replace("part=", ""));
}

/** A list as a page, with each part that can be requested, and as YouTube answered it. */
export async function looksAt(looking: Looking): Promise<readonly Typed[]> {
  const { stage, path, route, known } = looking;
  const options = await fillRequired(stage, path, route, known);
  const parts = await offeredParts(looking);
  const asked = parts.length === 0 ? {} : { extra: `part=${parts.join(",")}` };
  return [
    { path, options },
    ...parts.map((part) => ({ path, options: { ...options, extra: `part=${part}` } })),
    { path, options: { ...options, ...asked, output: "raw" } },
  ];
}

/** The fields in YouTube's own answer, which the command gives as a file. */
export async function fieldsSaved(message: APIMessage, method: string | undefined) {
  const [file] = message.attachments;
  const response = method && responseOf(method);
  if (!file?.filename.endsWith(".json") || !response) return [];
  return placesIn(response, JSON.parse(String(await fetchBytes(file.url))));
}

/** The answer, the details of its first entry if there are any, and each of their pages. */
export async function look(stage: Stage, { path, options }: Typed): Promise<readonly APIMessage[]> {
  const owner = stage.sandbox.user("owner");
  const message = asMessage(await owner.command(path, options));
  if (!JSON.stringify(message.components).includes('"Details"')) {
    return [message, ...(await detailPages(stage, message))];
  }
  const details = asMessage(await owner.click(message, "Details"));
  return [message, details, ...(await detailPages(stage, details))];
}

/** The pages of a video's details, chosen one by one. */
async function detailPages(stage: Stage, message: APIMessage): Promise<readonly APIMessage[]> {
  const pages = selectsOf(message).find(
    ({ placeholder }) => placeholder === words().say("video-details.choose"),
  );
  const owner = stage.sandbox.user("owner");
  const found: APIMessage[] = [];
  for (const { value } of pages?.options ?? []) {
    found.push(asMessage(await owner.choose(message, [value])));
  }
  return found;
}

function selectsOf({ components = [] }: APIMessage): readonly APIStringSelectComponent[] {
  return components.flatMap((row) =>
    row.type === ComponentType.ActionRow
      ? row.components.filter((one) => one.type === ComponentType.StringSelect)
      : [],
  );
}

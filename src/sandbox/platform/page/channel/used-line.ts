import { type APIMessage, type APIUser, ApplicationCommandType } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { nameIn, pathIn } from "../../../locales.ts";
import type { HelloEvent } from "../../protocol.ts";
import { inlineMarkdown } from "../markdown/render.ts";
import { createNames } from "../state/names.ts";
import { author, avatar } from "./author.ts";

const slashType = ApplicationCommandType.ChatInput;

/** The small line above a message: who used which command, or which message it answers. */
export function usedLine(
  message: APIMessage,
  replied: APIMessage | undefined,
  hello: HelloEvent | undefined,
): TemplateResult | typeof nothing {
  const user = message.interaction_metadata?.user ?? message.interaction?.user;
  const name = message.interaction?.name;
  if (user && name) return commandLine(user, name, hello);
  return replied ? replyLine(replied, hello) : nothing;
}

/** `name` as Discord gives it: the whole path of a slash command, or the name of a menu entry. */
export function commandLine(
  user: APIUser,
  name: string,
  hello: HelloEvent | undefined,
): TemplateResult {
  const shown = shownCommand(name, hello);
  return html`<div class="used-line" data-used=${shown}>
    <span class="spine"></span>${avatar(user, "small")} ${author(user, hello)}
    <span>used</span> <span class="used-command">${shown}</span>
  </div>`;
}

/** The command in this person's language; one that is gone by the name it had. */
function shownCommand(name: string, hello: HelloEvent | undefined): string {
  const { commands = [], locale = "en-US" } = hello ?? {};
  const menu = commands.find((one) => one.name === name && one.type !== slashType);
  if (menu) return nameIn(menu, locale);
  const [first = "", ...path] = name.replace(/^\//, "").split(" ");
  const command = commands.find((one) => one.name === first && one.type === slashType);
  return `/${(command ? pathIn(command, path, locale) : [first, ...path]).join(" ")}`;
}

function replyLine(replied: APIMessage, hello: HelloEvent | undefined): TemplateResult {
  const words = replied.content.split("\n", 1)[0] || "Click to see the message";
  return html`<button
    type="button"
    class="used-line reply"
    @click=${() =>
      document
        .querySelector(`[data-message-id="${replied.id}"]`)
        ?.scrollIntoView({ block: "center", behavior: "smooth" })}
  >
    <span class="spine"></span>${avatar(replied.author, "small")} ${author(replied.author, hello)}
    <span class="reply-text">${inlineMarkdown(words, createNames(hello))}</span>
  </button>`;
}

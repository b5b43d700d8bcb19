import {
  type APIEmbed,
  type APIMessageTopLevelComponent,
  ComponentType,
  MessageFlags,
} from "discord.js";
import { buttonRows, type Name, selectRows } from "./components.ts";
import { drawEmbed } from "./embed.ts";
import { drawList } from "./gallery.ts";
import { limits } from "./limits.ts";
import type { Ask, Card, Files, Form, Press, Reply, ReplyFile } from "./reply.ts";
import { cut, oneLine, roleMention } from "./text.ts";
import type { Words } from "./words.ts";

/** The body of a message, its files apart. Only what `withPing` made pings anybody. */
export interface Payload {
  readonly flags: number;
  readonly content?: string;
  readonly embeds?: APIEmbed[];
  readonly components: APIMessageTopLevelComponent[];
  readonly attachments: { id: string; filename: string; description?: string }[];
  readonly allowed_mentions: { readonly parse: []; readonly roles?: readonly string[] };
}

export interface Rendered {
  readonly payload: Payload;
  readonly files: readonly ReplyFile[];
}

export type Message = Exclude<Reply, Form>;

/** Can't be taken back from a message that has it. */
const { IsComponentsV2 } = MessageFlags;

/** How presses get their ids, and the person's language for the words that every message has. */
export interface Drawing {
  readonly name: Name;
  readonly words: Words;
}

/** Draws a reply within Discord's limits. */
export function render(reply: Message, drawing: Drawing): Rendered {
  switch (reply.kind) {
    case "list":
      return message({ flags: IsComponentsV2, components: drawList(reply, drawing.name) });
    case "notice":
      return embedded(
        drawEmbed({ title: reply.title, text: reply.text, footer: reply.footer, tone: reply.tone }),
        rowsOf(reply, drawing.name),
      );
    case "card":
      return drawCard(reply, drawing.name);
    case "ask":
      return drawAsk(reply, drawing);
    case "files":
      return drawFiles(reply, drawing.name);
  }
}

/** Pressing "Cancel" of a question needs no state. */
const keepAsIs: Press = { action: "ask.cancel", state: null };

function rowsOf(reply: Pick<Exclude<Message, Ask>, "selects" | "buttons">, name: Name) {
  return [...selectRows(reply.selects, name), ...buttonRows(reply.buttons, name)].slice(
    0,
    limits.row.rows,
  );
}

function drawCard(reply: Card, name: Name): Rendered {
  const { preview, carried } = reply;
  const shown = {
    ...reply,
    ...(preview !== undefined && { image: `attachment://${preview.name}` }),
    ...(carried !== undefined && { thumbnail: `attachment://${carried.name}` }),
  };
  const drawn = embedded(drawEmbed(shown), rowsOf(reply, name));
  const files = [preview, carried].filter((file) => file !== undefined);
  return files.length === 0 ? drawn : attached(drawn, files);
}

/** A preview stands in the embed, because it belongs to the question and is nobody's to keep. */
function drawAsk(reply: Ask, { name, words }: Drawing): Rendered {
  const { title, text, fields, thumbnail, footer, preview } = reply;
  const image = preview === undefined ? undefined : `attachment://${preview.name}`;
  const cancel = { label: words.say("common.cancel"), press: keepAsIs };
  const drawn = embedded(
    drawEmbed({ title, text, fields, thumbnail, footer, image, tone: "warning" }),
    [...selectRows(reply.selects, name), ...buttonRows([reply.confirm, cancel], name)],
  );
  return preview === undefined ? drawn : attached(drawn, [preview]);
}

/** Files stay plain attachments: an embed that shows one would take it out of the message's own list. */
function drawFiles(reply: Files, name: Name): Rendered {
  const { title, text, footer, files, preview } = reply;
  const image = preview === undefined ? undefined : `attachment://${preview.name}`;
  const embed = drawEmbed({ title, text, footer, image, tone: "good" });
  const drawn = message({ embeds: [embed], components: rowsOf(reply, name) });
  return attached(drawn, preview === undefined ? files : [...files, preview]);
}

/** The same message with a line that pings one role, and nobody else. */
export function withPing({ payload, files }: Rendered, roleId: string): Rendered {
  const allowed_mentions: Payload["allowed_mentions"] = { parse: [], roles: [roleId] };
  return {
    payload: { ...payload, ...called(payload, roleMention(roleId).markup), allowed_mentions },
    files,
  };
}

/** A message of the newer kind has no content beside its components. */
function called({ flags, content, components }: Payload, line: string): Partial<Payload> {
  if ((flags & IsComponentsV2) === 0) {
    return { content: content === undefined ? line : `${line}\n${content}` };
  }
  return { components: [{ type: ComponentType.TextDisplay, content: line }, ...components] };
}

function attached(drawn: Rendered, files: readonly ReplyFile[]): Rendered {
  const attachments = files.map((file, id) => ({
    id: `${id}`,
    filename: file.name,
    ...(file.alt === undefined ? {} : { description: cut(oneLine(file.alt), limits.v2.altText) }),
  }));
  return { payload: { ...drawn.payload, attachments }, files };
}

function embedded(embed: APIEmbed, components: APIMessageTopLevelComponent[]): Rendered {
  return message({ embeds: [embed], components });
}

function message(parts: Partial<Payload> & Pick<Payload, "components">): Rendered {
  return {
    payload: { flags: 0, attachments: [], allowed_mentions: { parse: [] }, ...parts },
    files: [],
  };
}

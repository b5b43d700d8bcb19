import type { APIEmbed, APIMessageTopLevelComponent } from "discord.js";
import { buttonRows, type Name } from "./components.ts";
import { drawEmbed } from "./embed.ts";
import { drawList } from "./gallery.ts";
import { limits } from "./limits.ts";
import type { Form, Press, Reply, ReplyFile } from "./reply.ts";
import { cut, oneLine } from "./text.ts";

/** The body of a message, its files apart. Everything that could ping is switched off in every one. */
export interface Payload {
  readonly flags: number;
  readonly content?: string;
  readonly embeds?: APIEmbed[];
  readonly components: APIMessageTopLevelComponent[];
  readonly attachments: { id: string; filename: string; description?: string }[];
  readonly allowed_mentions: { readonly parse: [] };
}

export interface Rendered {
  readonly payload: Payload;
  readonly files: readonly ReplyFile[];
}

export type Message = Exclude<Reply, Form>;

/** `IsComponentsV2`: can't be taken back from a message that has it. */
export const componentsV2 = 1 << 15;

/** Draws a reply within Discord's limits. Presses get their ids from `name`. */
export function render(reply: Message, name: Name): Rendered {
  switch (reply.kind) {
    case "list":
      return message({ flags: componentsV2, components: drawList(reply, name) });
    case "notice":
      return embedded(
        drawEmbed({ title: reply.title, text: reply.text, footer: reply.footer, tone: reply.tone }),
        buttonRows(reply.buttons, name),
      );
    case "card":
      return embedded(drawEmbed(reply), buttonRows(reply.buttons, name));
    case "ask":
      return embedded(
        drawEmbed({ title: reply.title, text: reply.text, tone: "warning" }),
        buttonRows([reply.confirm, cancelButton], name),
      );
    case "files":
      return withFiles(reply, name);
  }
}

/** Pressing "Cancel" of a question needs no state. */
export const keepAsIs: Press = { action: "ask.cancel", state: null };
const cancelButton = { label: "Cancel", press: keepAsIs } as const;

/** Files stay plain attachments: an embed that shows one would take it out of the message's own list. */
function withFiles(reply: Extract<Message, { kind: "files" }>, name: Name): Rendered {
  const embed = drawEmbed({
    title: reply.title,
    text: reply.text,
    footer: reply.footer,
    tone: "good",
  });
  const attachments = reply.files.map((file, id) => ({
    id: `${id}`,
    filename: file.name,
    ...(file.alt === undefined ? {} : { description: cut(oneLine(file.alt), limits.v2.altText) }),
  }));
  const drawn = message({ embeds: [embed], components: buttonRows(reply.buttons, name) });
  return { payload: { ...drawn.payload, attachments }, files: reply.files };
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

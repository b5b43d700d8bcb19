import type { APIComponentInContainer, APIEmbed, APIMessageTopLevelComponent } from "discord.js";
import { ComponentType, MessageFlags } from "discord-api-types/v10";
import { buttonRows, type NamePress, selectRows } from "./components.ts";
import { drawEmbed, toneColors } from "./embed.ts";
import { limits } from "./limits.ts";
import type {
  Ask,
  AttachedFile,
  Card,
  FilesReply,
  Form,
  ListReply,
  Press,
  Reply,
  ReplyItem,
} from "./reply.ts";
import {
  cut,
  definedFields,
  fitted,
  formatted,
  join,
  oneLine,
  roleMention,
  type Text,
} from "./text.ts";
import type { Words } from "./words.ts";

/** The body of a message, without its files. It pings nobody, unless `withPing` made it. */
interface MessagePayload {
  readonly flags: number;
  readonly content?: string | null;
  readonly embeds?: APIEmbed[] | null;
  readonly components: APIMessageTopLevelComponent[];
  readonly attachments: { id: string; filename: string; description?: string }[];
  readonly allowed_mentions: { readonly parse: []; readonly roles?: readonly string[] };
}

export interface RenderedMessage {
  readonly payload: MessagePayload;
  readonly files: readonly AttachedFile[];
}

export type MessageReply = Exclude<Reply, Form>;

/** Discord never removes this flag from a message. */
const { IsComponentsV2 } = MessageFlags;

/** How presses get their ids, and the person's language for the words that every message has. */
interface RenderOptions {
  readonly name: NamePress;
  readonly words: Words;
}

/** Draws a reply within Discord's limits. */
export function render(reply: MessageReply, drawing: RenderOptions): RenderedMessage {
  switch (reply.kind) {
    case "list":
      return message({ flags: IsComponentsV2, components: drawList(reply, drawing.name) });
    case "notice":
      return message({
        embeds: [drawEmbed(reply)],
        components: drawRows(reply, drawing.name),
      });
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

function drawRows(
  { selects, buttons }: Pick<Exclude<MessageReply, Ask>, "selects" | "buttons">,
  name: NamePress,
) {
  if (selects === undefined && buttons === undefined) return [];
  return [...selectRows(selects, name), ...buttonRows(buttons, name)].slice(0, limits.row.rows);
}

function drawCard(reply: Card, name: NamePress): RenderedMessage {
  const { preview, carried, image, thumbnail } = reply;
  const pictures = {
    image: preview === undefined ? image : `attachment://${preview.name}`,
    thumbnail: carried === undefined ? thumbnail : `attachment://${carried.name}`,
  };
  const embed = drawEmbed({ ...reply, ...pictures });
  return message({ embeds: [embed], components: drawRows(reply, name) }, [preview, carried]);
}

/** The preview is in the embed, because it belongs to the question and is not a file to keep. */
function drawAsk(reply: Ask, { name, words }: RenderOptions): RenderedMessage {
  const { title, text, fields, footer, preview, carried, confirm, others = [] } = reply;
  const image = preview && `attachment://${preview.name}`;
  const thumbnail = carried === undefined ? reply.thumbnail : `attachment://${carried.name}`;
  const cancel = { label: words.say("common.cancel"), press: keepAsIs };
  const embed = drawEmbed({ title, text, fields, thumbnail, footer, image, tone: "warning" });
  const buttons = buttonRows([confirm, ...others, cancel], name);
  const components = [...selectRows(reply.selects, name), ...buttons];
  return message({ embeds: [embed], components }, [preview, carried]);
}

/** Files stay plain attachments: one that an embed shows would disappear from the message's list of files. */
function drawFiles(reply: FilesReply, name: NamePress): RenderedMessage {
  const { title, text, footer, files, preview } = reply;
  const image = preview && `attachment://${preview.name}`;
  const embed = drawEmbed({ title, text, footer, image, tone: "good" });
  return message({ embeds: [embed], components: drawRows(reply, name) }, [...files, preview]);
}

/** The same reply with a line at the end of its footer. */
export function withFoot<R extends MessageReply>(reply: R, line: string): R {
  if (reply.footer === undefined) return { ...reply, footer: line };
  if (reply.kind === "list") return { ...reply, footer: join([reply.footer, line], " · ") };
  return { ...reply, footer: `${reply.footer} · ${line}` };
}

/** The same message with a line that pings one role, and nobody else. */
export function withPing({ payload, files }: RenderedMessage, roleId: string): RenderedMessage {
  const allowed_mentions: MessagePayload["allowed_mentions"] = { parse: [], roles: [roleId] };
  const { flags, content, components } = payload;
  const line = roleMention(roleId).markup;
  // A message with components v2 has no content of its own.
  const pinged =
    (flags & IsComponentsV2) === 0
      ? { content: content == null ? line : `${line}\n${content}` }
      : { components: [text(line), ...components] };
  return { payload: { ...payload, ...pinged, allowed_mentions }, files };
}

function message(
  parts: Partial<MessagePayload> & Pick<MessagePayload, "components">,
  attached: readonly (AttachedFile | undefined)[] = [],
): RenderedMessage {
  const files = attached.filter((file) => file !== undefined);
  const attachments = files.map(({ name, alt }, id) =>
    definedFields({
      id: `${id}`,
      filename: name,
      description: alt && cut(oneLine(alt), limits.v2.altText),
    }),
  );
  return { payload: { flags: 0, attachments, allowed_mentions: { parse: [] }, ...parts }, files };
}

// Title, text, empty line and footer share what the items leave of a message's 4,000 characters.
const itemText = 560;
const restText = 900;

/** A list as one container of sections: text beside a thumbnail, the item's buttons below. */
function drawList(list: ListReply, name: NamePress): APIMessageTopLevelComponent[] {
  const head = [`## ${fitted(oneLine(list.title), 200)}`, ...lines(list.text)].join("\n");
  const items = list.items.flatMap((item) => drawItem(item, name));
  const empty = list.items.length === 0 ? lines(list.empty).map(text) : [];
  const foot = lines(list.footer).map((line) => text(`-# ${line}`));
  return [
    {
      type: ComponentType.Container,
      accent_color: toneColors.neutral,
      components: [
        text(head),
        ...items,
        ...empty,
        ...foot,
        ...selectRows(list.selects, name),
        ...buttonRows(list.buttons, name),
      ],
    },
  ];
}

function drawItem(item: ReplyItem, name: NamePress): APIComponentInContainer[] {
  const title = typeof item.title === "string" ? fitted(item.title, 200) : formatted(item.title);
  const about = fitLines([`**${title}**`, ...item.lines.map((line) => fitted(line, 400))]);
  const buttons = buttonRows(item.buttons, name);
  if (item.thumbnail === undefined) return [text(about), ...buttons];
  const { url, alt } = item.thumbnail;
  return [
    {
      type: ComponentType.Section,
      components: [text(about)],
      accessory: {
        type: ComponentType.Thumbnail,
        media: { url },
        description: cut(oneLine(alt), limits.v2.altText),
      },
    },
    ...buttons,
  ];
}

function text(content: string) {
  return { type: ComponentType.TextDisplay as const, content };
}

function lines(value: Text | undefined): string[] {
  return value === undefined ? [] : [fitted(value, restText / 3)];
}

/** Takes whole lines until the item's share is used up; the title always stays. */
function fitLines(all: readonly string[]): string {
  let kept = all[0] ?? "";
  for (const line of all.slice(1)) {
    if (kept.length + line.length + 1 > itemText) break;
    kept += `\n${line}`;
  }
  return kept;
}

import {
  type APIComponentInContainer,
  type APIMessageTopLevelComponent,
  ComponentType,
} from "discord.js";
import { buttonRows, type Name, selectRows } from "./components.ts";
import { tones } from "./embed.ts";
import { limits } from "./limits.ts";
import type { Item, List } from "./reply.ts";
import { cut, fitted, formatted, oneLine, type Text } from "./text.ts";

// Title, head, empty and foot share what the items leave of the 4,000 characters of a message.
const itemText = 560;
const restText = 900;

/** A list as one container of sections: text beside a thumbnail, the item's buttons below. */
export function drawList(list: List, name: Name): APIMessageTopLevelComponent[] {
  const head = [`## ${fitted(oneLine(list.title), 200)}`, ...lines(list.text)].join("\n");
  const items = list.items.flatMap((item) => drawItem(item, name));
  const empty = list.items.length === 0 ? lines(list.empty).map(text) : [];
  const foot = lines(list.footer).map((line) => text(`-# ${line}`));
  return [
    {
      type: ComponentType.Container,
      accent_color: tones.info,
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

function drawItem(item: Item, name: Name): APIComponentInContainer[] {
  const title = typeof item.title === "string" ? fitted(item.title, 200) : formatted(item.title);
  const about = fitLines([`**${title}**`, ...item.lines.map((line) => fitted(line, 400))]);
  return [drawAbout(about, item), ...buttonRows(item.buttons, name)];
}

function drawAbout(about: string, item: Item): APIComponentInContainer {
  if (item.thumbnail === undefined) return text(about);
  return {
    type: ComponentType.Section,
    components: [text(about)],
    accessory: {
      type: ComponentType.Thumbnail,
      media: { url: item.thumbnail.url },
      description: cut(oneLine(item.thumbnail.alt), limits.v2.altText),
    },
  };
}

function text(content: string) {
  return { type: ComponentType.TextDisplay as const, content };
}

function lines(value: Text | undefined): string[] {
  return value === undefined ? [] : [fitted(value, restText / 3)];
}

/** Whole lines until the item's share is used up; the title always stays. */
function fitLines(all: readonly string[]): string {
  let kept = all[0] ?? "";
  for (const line of all.slice(1)) {
    if (kept.length + line.length + 1 > itemText) break;
    kept += `\n${line}`;
  }
  return kept;
}

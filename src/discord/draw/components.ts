import type {
  APIActionRowComponent,
  APIButtonComponent,
  APIStringSelectComponent,
} from "discord.js";
import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { limits } from "./limits.ts";
import type { Button, Press, ReplyOption, Select } from "./reply.ts";
import { cut, definedFields, isBlank, type Markup, oneLine, visible } from "./text.ts";
import type { Words } from "./words.ts";

/** Gives each press of a reply its custom id. */
export type NamePress = (press: Press) => string;

type ButtonRow = APIActionRowComponent<APIButtonComponent>;
type SelectRow = APIActionRowComponent<APIStringSelectComponent>;

const styles = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

/** Rows of at most five buttons. */
export function buttonRows(buttons: readonly Button[] | undefined, name: NamePress): ButtonRow[] {
  const drawn = (buttons ?? []).map((button) => drawButton(button, name));
  const rows: ButtonRow[] = [];
  for (let at = 0; at < drawn.length; at += limits.row.buttons) {
    rows.push({
      type: ComponentType.ActionRow,
      components: drawn.slice(at, at + limits.row.buttons),
    });
  }
  return rows;
}

/** Each select takes a row of its own. */
export function selectRows(selects: readonly Select[] | undefined, name: NamePress): SelectRow[] {
  return (selects ?? []).map((select) => ({
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.StringSelect,
        custom_id: name(select.press),
        placeholder: cut(oneLine(select.placeholder), limits.select.placeholder),
        min_values: select.min ?? 1,
        max_values: Math.min(select.max ?? 1, select.options.length),
        options: selectOptions(select.options),
      },
    ],
  }));
}

export function selectOptions(options: readonly ReplyOption[]) {
  return options.slice(0, limits.select.options).map(({ label, value, description, isDefault }) =>
    definedFields({
      label: visible(cut(oneLine(label), limits.select.label)),
      value,
      description:
        description === undefined || isBlank(description)
          ? undefined
          : cut(oneLine(description), limits.select.description),
      default: isDefault || undefined,
    }),
  );
}

function drawButton(button: Button, name: NamePress): APIButtonComponent {
  const face = definedFields({
    type: ComponentType.Button as const,
    label: visible(cut(oneLine(button.label), limits.button.label)),
    disabled: button.disabled || undefined,
  });
  if (button.url !== undefined) return { ...face, style: ButtonStyle.Link, url: button.url };
  if (button.press === undefined) throw new TypeError(`button ${button.label} leads nowhere`);
  return { ...face, style: styles[button.style ?? "secondary"], custom_id: name(button.press) };
}

const barCells = 16;

/** Progress from 0 to 1, as a bar with a percentage. */
export function progressBar(done: number, words: Words): Markup {
  const share = clampShare(done);
  return { markup: `${drawBar(Math.floor(share * barCells), barCells)} ${words.percent(share)}` };
}

const quotaCells = 8;

/** How much of a limit is left, as a short bar that a number stands beside; empty only when nothing is left. */
export function quotaBar(left: number, limit: number): Markup {
  const share = clampShare(limit > 0 ? left / limit : 0);
  return { markup: drawBar(Math.ceil(share * quotaCells), quotaCells) };
}

function clampShare(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function drawBar(full: number, cells: number): string {
  return `${"▰".repeat(full)}${"▱".repeat(cells - full)}`;
}

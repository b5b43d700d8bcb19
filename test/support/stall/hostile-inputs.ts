import type { Routes } from "../../../src/discord/declare/routes.ts";
import { longestFor } from "../../../src/discord/declare/text-limits.ts";
import {
  type Attached,
  command,
  menu,
  press,
  submission,
  suggestion,
  type Value,
  type Whose,
} from "../raw-interactions.ts";
import { hostileText } from "./hostile-texts.ts";
import type { Answer, RawGateway } from "./raw-gateway.ts";

/** Something that a person sends, with a name for reports. */
export interface HostileInput {
  readonly name: string;
  send(): Promise<unknown>;
}

export type Inputs = ReturnType<typeof createInputs>;

interface Parts {
  readonly routes: Routes;
  readonly gateway: RawGateway;
  readonly whose: Whose;
  readonly random: () => number;
  /** Delivers a hostile body as YouTube's hub does, signed. */
  readonly publish: (body: string) => Promise<unknown>;
  /** Writes a comment that the watch will find. */
  readonly comment: (text: string) => void;
}

/** These would remove what the campaign needs from its own server. */
const leftOut: ReadonlySet<string> = new Set(["connect disconnect", "connect erase"]);
const longestComment = 10_000;
const mostKept = 100;

/** Hostile texts and files for every entrance, picked at random. */
export function createInputs(parts: Parts) {
  const { routes, gateway, whose, random } = parts;
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const chance = (share: number) => random() < share;
  const commands = [...routes.commands].filter(([path]) => !leftOut.has(path));
  const suggested = commands.flatMap(([path, { options }]) =>
    Object.entries(options)
      .filter(([, { suggest }]) => suggest !== undefined)
      .map(([name]) => ({ path, name })),
  );
  const pressed: string[] = [];
  const forms: NonNullable<Answer["form"]>[] = [];
  let files = 0;

  async function deliver(interaction: Parameters<RawGateway["deliver"]>[0]): Promise<void> {
    const { form, customIds } = await gateway.deliver(interaction);
    if (form !== undefined) forms.push(form);
    pressed.push(...customIds);
    pressed.splice(0, Math.max(0, pressed.length - mostKept));
    forms.splice(0, Math.max(0, forms.length - mostKept));
  }

  /** A file with a hostile name and hostile bytes, which begin like one of the file types that the bot reads. */
  function attached(): Attached {
    files += 1;
    const head = pick([
      "",
      "<?xml ",
      "<!--",
      "WEBVTT\n",
      "1\n",
      "\u0089PNG\r\n\u001a\n",
      "PK\u0003\u0004",
    ]);
    const data = Buffer.from(head + hostileText(random, 20_000), chance(0.2) ? "utf16le" : "utf8");
    const filename = hostileText(random, 1_000);
    return { filename, url: gateway.host(`${files % 500}`, data), size: data.byteLength };
  }

  /** Most of them keep to the allowed length, so that they are read. */
  function textFor(most: number): string {
    return chance(0.7) ? hostileText(random, most).slice(0, most) : hostileText(random);
  }

  const entrances: Readonly<Record<string, () => HostileInput>> = {
    option() {
      const [path, { options }] = pick(commands);
      const given = Object.entries(options).flatMap(
        ([name, option]): [string, Value | Attached][] => {
          if (!option.required && chance(0.5)) return [];
          if (option.choices !== undefined) return [[name, pick(option.choices.values)]];
          if (option.type === "string") return [[name, textFor(longestFor(option))]];
          if (option.type === "boolean") return [[name, chance(0.5)]];
          if (option.type === "attachment") return [[name, attached()]];
          if (option.type === "integer" || option.type === "number")
            return [[name, option.min ?? 1]];
          return [];
        },
      );
      const interaction = command(path, whose, Object.fromEntries(given));
      return {
        name: `option ${path} ${described(Object.fromEntries(given))}`,
        send: () => deliver(interaction),
      };
    },
    suggestion() {
      const { path, name } = pick(suggested);
      const option = routes.commands.get(path)?.options[name];
      const text = option === undefined ? "" : textFor(longestFor(option));
      const interaction = suggestion(path, name, whose, { text });
      return {
        name: `suggestion ${path} ${name} ${described(text)}`,
        send: () => deliver(interaction),
      };
    },
    form() {
      const form = forms.length === 0 ? undefined : pick(forms);
      if (form === undefined) return entrances.suggestion?.() as HostileInput;
      const fields = Object.fromEntries(form.fields.map((name) => [name, textFor(4_000)]));
      return {
        name: `form ${described(fields)}`,
        send: () => deliver(submission(whose, form.customId, fields)),
      };
    },
    press() {
      const customId = pressed.length > 0 && chance(0.8) ? pick(pressed) : hostileText(random, 500);
      const values = chance(0.5) ? [hostileText(random, 500)] : undefined;
      const pressing = { customId, message: { flags: 64 }, ...(values && { values }) };
      return {
        name: `press ${described([customId, values])}`,
        send: () => deliver(press(whose, pressing)),
      };
    },
    menu() {
      const title = pick([...routes.menus.keys()]);
      const message = {
        content: hostileText(random, 4_000),
        attachments: chance(0.3)
          ? [{ id: "100000000000000001", ...attached(), content_type: "image/png" }]
          : [],
        embeds: [
          {
            type: "rich",
            description: hostileText(random, 4_096),
            url: hostileText(random, 2_000),
          },
        ],
      };
      return {
        name: `menu ${title} ${described(message)}`,
        send: () => deliver(menu(title, whose, message)),
      };
    },
    comment() {
      const text = hostileText(random, longestComment);
      return { name: `comment ${described(text)}`, send: async () => parts.comment(text) };
    },
    hub() {
      const head = pick(["", "<feed>", '<?xml version="1.0"?><feed xmlns="a">', "<feed><entry>"]);
      const body = head + hostileText(random).repeat(pick([1, 5]));
      return { name: `hub ${described(body)}`, send: () => parts.publish(body) };
    },
  };
  const turns = [
    "option",
    "option",
    "suggestion",
    "suggestion",
    "suggestion",
    "form",
    "press",
    "menu",
    "comment",
    "hub",
  ];

  return { next: () => entrances[pick(turns)]?.() as HostileInput };
}

function described(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text;
}

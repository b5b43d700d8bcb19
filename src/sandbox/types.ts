import type { APIMessage, APIModalInteractionResponseCallbackData } from "discord-api-types/v10";

export type PersonName = "owner" | "moderator" | "member";

/** A file a person attaches. */
export interface SandboxFile {
  readonly name: string;
  /** Declared type; the platform does not check it, as the real one does not. */
  readonly type: string;
  readonly data: Uint8Array;
}

export type OptionInput = string | number | boolean | SandboxFile;

/** A form as the platform would open it, with what `submit` needs to answer it. */
export interface OpenForm extends APIModalInteractionResponseCallbackData {
  readonly interaction_id: string;
}

/** One person in front of the channel. Each call resolves when the bot has finished with it. */
export interface Person {
  command(
    path: string,
    options?: Readonly<Record<string, OptionInput>>,
  ): Promise<APIMessage | OpenForm>;
  /** A message context menu, by its shown name. */
  menu(name: string, message: APIMessage): Promise<APIMessage | OpenForm>;
  /** By exact label, or the first label that starts so. */
  click(message: APIMessage, label: string): Promise<APIMessage | OpenForm>;
  /** Picks values of the message's first select that has them all. */
  choose(message: APIMessage, values: readonly string[]): Promise<APIMessage | OpenForm>;
  submit(
    form: OpenForm,
    fields: Readonly<Record<string, string | readonly string[] | readonly SandboxFile[]>>,
  ): Promise<APIMessage | OpenForm>;
  /** Suggestions for one option, with the text typed so far. */
  suggest(
    path: string,
    option: string,
    text: string,
    others?: Readonly<Record<string, OptionInput>>,
  ): Promise<readonly { name: string; value: string | number }[]>;
  /** An ordinary message in the channel. */
  say(content: string, files?: readonly SandboxFile[]): Promise<APIMessage>;
  /** What this person sees in the channel, oldest first, own ephemeral replies among it. */
  messages(): readonly APIMessage[];
}

export interface Sandbox {
  /** The page's address. */
  readonly url: string;
  readonly video: { readonly url: string };
  readonly background: { readonly url: string };
  readonly oauth: { readonly url: string };
  readonly platform: { readonly url: string };
  user(name: PersonName): Person;
  close(): Promise<void>;
}

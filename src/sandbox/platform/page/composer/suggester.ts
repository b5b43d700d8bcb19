import { type DiscordLocale, nameIn } from "../../locales.ts";
import type { SuggestAction } from "../../protocol.ts";
import { ClientRequestError, type PlatformClient } from "../platform-client.ts";
import type { FieldChoice } from "./field.ts";

export interface Suggestions {
  readonly state: "idle" | "loading" | "ready" | "failed";
  readonly choices: readonly FieldChoice[];
}

/** Long enough to let a word be typed, short enough not to be felt. */
const debounceMs = 200;
/**
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-autocomplete
 */
const maxChoices = 25;

export const noSuggestions: Suggestions = { state: "idle", choices: [] };

/** Asks for suggestions when typing pauses; an outdated answer is dropped. */
export class Suggester {
  /** The language in which the names of the suggestions are shown. */
  locale: DiscordLocale = "en-US";
  readonly #onChange: (suggestions: Suggestions) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay: AbortController | undefined;

  constructor(onChange: (suggestions: Suggestions) => void) {
    this.#onChange = onChange;
  }

  ask(client: PlatformClient, act: SuggestAction): void {
    this.stop();
    this.#onChange({ state: "loading", choices: [] });
    this.#timer = setTimeout(() => this.#fetch(client, act), debounceMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#underWay?.abort();
    this.#underWay = undefined;
  }

  async #fetch(client: PlatformClient, act: SuggestAction): Promise<void> {
    const underWay = new AbortController();
    this.#underWay = underWay;
    try {
      const { choices } = await client.suggest(act, underWay.signal);
      if (underWay.signal.aborted) return;
      const shown = choices.slice(0, maxChoices).map((choice) => {
        return { name: nameIn(choice, this.locale), value: choice.value };
      });
      this.#onChange({ state: "ready", choices: shown });
    } catch (error) {
      if (underWay.signal.aborted) return;
      if (!(error instanceof ClientRequestError)) throw error;
      this.#onChange({ state: "failed", choices: [] });
    }
  }
}

import { ClientRequestError } from "../platform-client.ts";

export interface Suggestion {
  readonly name: string;
  readonly value: string | number;
}

export interface Suggestions {
  readonly state: "idle" | "loading" | "ready" | "failed";
  readonly choices: readonly Suggestion[];
}

/** Long enough to let a word be typed, short enough not to be felt. */
const debounceMs = 200;

export const noSuggestions: Suggestions = { state: "idle", choices: [] };

/** Asks for suggestions when typing pauses; an outdated answer is dropped. */
export class Suggester {
  readonly #onChange: (suggestions: Suggestions) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay: AbortController | undefined;

  constructor(onChange: (suggestions: Suggestions) => void) {
    this.#onChange = onChange;
  }

  ask(request: (signal: AbortSignal) => Promise<readonly Suggestion[]>): void {
    this.stop();
    this.#onChange({ state: "loading", choices: [] });
    this.#timer = setTimeout(async () => {
      const underWay = new AbortController();
      this.#underWay = underWay;
      try {
        const choices = await request(underWay.signal);
        if (!underWay.signal.aborted) this.#onChange({ state: "ready", choices });
      } catch (error) {
        if (underWay.signal.aborted) return;
        if (!(error instanceof ClientRequestError)) throw error;
        this.#onChange({ state: "failed", choices: [] });
      }
    }, debounceMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#underWay?.abort();
    this.#underWay = undefined;
  }
}

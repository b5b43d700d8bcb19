import type { APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type {
  CommandAct,
  ComponentAct,
  DismissAct,
  FormAct,
  MenuAct,
  MessageAct,
  ReactAct,
  SpeakAct,
  SuggestAct,
  SuggestAnswer,
} from "../protocol.ts";

/** The platform refused an act, or could not be reached; the message is meant for the person. */
export class ActError extends Error {}

interface Begun {
  readonly interactionId: string;
}

/** What one person can ask of the platform. Each rejects with an `ActError`. */
export interface Acts {
  command(act: CommandAct): Promise<Begun>;
  menu(act: MenuAct): Promise<Begun>;
  component(act: ComponentAct): Promise<Begun>;
  form(act: FormAct): Promise<Begun>;
  message(act: MessageAct): Promise<APIMessage>;
  suggest(act: SuggestAct, signal: AbortSignal): Promise<SuggestAnswer>;
  react(act: ReactAct): Promise<unknown>;
  dismiss(act: DismissAct): Promise<unknown>;
  speak(act: SpeakAct): Promise<unknown>;
  /** Answers the id that other acts name the file by. */
  upload(file: File): Promise<string>;
}

export function createActs(person: PersonName): Acts {
  async function post<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(path, { ...init, method: "POST" }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new ActError("The sandbox can't be reached. Is it still running?");
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return answer as T;
    throw new ActError(wordsOf(answer) ?? `The sandbox answered with status ${response.status}.`);
  }

  function act<T>(name: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return post(`/page/${name}?as=${person}`, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
      ...(signal && { signal }),
    });
  }

  return {
    command: (body) => act("command", body),
    menu: (body) => act("menu", body),
    component: (body) => act("component", body),
    form: (body) => act("form", body),
    message: (body) => act("message", body),
    suggest: (body, signal) => act("suggest", body, signal),
    react: (body) => act("react", body),
    dismiss: (body) => act("dismiss", body),
    speak: (body) => act("speak", body),
    async upload(file) {
      const query = new URLSearchParams({ as: person, name: file.name });
      const { id } = await post<{ id: string }>(`/page/files?${query}`, {
        body: file,
        headers: { "content-type": file.type || "application/octet-stream" },
      });
      return id;
    },
  };
}

function wordsOf(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  return typeof answer.error === "string" ? answer.error : undefined;
}

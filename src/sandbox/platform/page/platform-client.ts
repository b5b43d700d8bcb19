import type { APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type {
  CommandAction,
  ComponentAction,
  DismissAction,
  HappenAction,
  HappeningsAnswer,
  LocaleAction,
  MenuAction,
  MessageAction,
  PlatformFormAction,
  ReactAction,
  SuggestAction,
  SuggestAnswer,
} from "../protocol.ts";

/** The platform refused a request or could not be reached; the message is for the person. */
export class ClientRequestError extends Error {}

interface InteractionReceipt {
  readonly interactionId: string;
}

/** The requests that one person's page can send. Each rejects with a `ClientRequestError`. */
export interface PlatformClient {
  command(act: CommandAction): Promise<InteractionReceipt>;
  menu(act: MenuAction): Promise<InteractionReceipt>;
  component(act: ComponentAction): Promise<InteractionReceipt>;
  form(act: PlatformFormAction): Promise<InteractionReceipt>;
  message(act: MessageAction): Promise<APIMessage>;
  suggest(act: SuggestAction, signal: AbortSignal): Promise<SuggestAnswer>;
  react(act: ReactAction): Promise<unknown>;
  dismiss(act: DismissAction): Promise<unknown>;
  speak(act: LocaleAction): Promise<unknown>;
  happenings(act: HappenAction): Promise<HappeningsAnswer>;
  /** Returns the id by which other actions name the file. */
  upload(file: File): Promise<string>;
}

export function createPlatformClient(person: PersonName): PlatformClient {
  async function post<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(path, { ...init, method: "POST" }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new ClientRequestError("The sandbox can't be reached. Is it still running?");
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return answer as T;
    throw new ClientRequestError(
      readError(answer) ?? `The sandbox answered with status ${response.status}.`,
    );
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
    happenings: (body) => act("happenings", body),
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

function readError(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  return typeof answer.error === "string" ? answer.error : undefined;
}

import type { APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type {
  CommandAction,
  ComponentAction,
  DeleteAction,
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

/** The stand-in refused a request or could not be reached; the message is for the person. */
export class ClientRequestError extends Error {}

interface InteractionReceipt {
  readonly interactionId: string;
}

/** What a page can send, and what it is answered. */
interface PlatformRequests {
  readonly command: [CommandAction, InteractionReceipt];
  readonly menu: [MenuAction, InteractionReceipt];
  readonly component: [ComponentAction, InteractionReceipt];
  readonly form: [PlatformFormAction, InteractionReceipt];
  readonly message: [MessageAction, APIMessage];
  readonly suggest: [SuggestAction, SuggestAnswer];
  readonly react: [ReactAction, unknown];
  readonly dismiss: [DismissAction, unknown];
  readonly delete: [DeleteAction, unknown];
  readonly speak: [LocaleAction, unknown];
  readonly happenings: [HappenAction, HappeningsAnswer];
}

export type PlatformClient = ReturnType<typeof createPlatformClient>;

/** Sends what one person does on the page; rejects with a `ClientRequestError`. */
export function createPlatformClient(person: PersonName) {
  async function post<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(path, { ...init, method: "POST" }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new ClientRequestError("The sandbox can't be reached. Is it still running?");
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return answer as T;
    const words = `The sandbox answered with status ${response.status}.`;
    const { error } = Object(answer) as { readonly error?: unknown };
    throw new ClientRequestError(typeof error === "string" ? error : words);
  }

  return {
    send<N extends keyof PlatformRequests>(
      name: N,
      act: PlatformRequests[N][0],
      signal?: AbortSignal,
    ): Promise<PlatformRequests[N][1]> {
      return post(`/page/${name}?as=${person}`, {
        body: JSON.stringify(act),
        headers: { "content-type": "application/json" },
        ...(signal && { signal }),
      });
    },
    /** Returns the id by which other actions name the file. */
    async upload(file: File): Promise<string> {
      const query = new URLSearchParams({ as: person, name: file.name });
      const { id } = await post<{ id: string }>(`/page/files?${query}`, {
        body: file,
        headers: { "content-type": file.type || "application/octet-stream" },
      });
      return id;
    },
  };
}

import { BotError, NetworkError } from "../../errors.ts";
import type { Http } from "../../http/index.ts";

/** One request to a service, with all of its attempts. */
export interface ObservedRequest {
  readonly service: string;
  /** `2xx` to `5xx`, or why there was no answer: `unreachable`, `timeout`, `cut`, `aborted`, or the code of a refusal. */
  readonly result: string;
  readonly attempts: number;
  readonly ms: number;
}

export interface WatchOptions {
  /** Names by what their addresses begin with; the first that fits. What has none is `other`. */
  readonly services: readonly (readonly [address: string, name: string])[];
  readonly observe: (request: ObservedRequest) => void;
}

/** The same way out, with each request told. Files that people attached count as `attachments`. */
export function watchedHttp(http: Http, { services, observe }: WatchOptions): Http {
  async function told<T>(
    service: string,
    work: () => Promise<T>,
    how: (answer: T) => Pick<ObservedRequest, "result" | "attempts">,
  ): Promise<T> {
    const startedAt = performance.now();
    const tell = (seen: Pick<ObservedRequest, "result" | "attempts">) =>
      observe({ service, ms: performance.now() - startedAt, ...seen });
    try {
      const answer = await work();
      tell(how(answer));
      return answer;
    } catch (error) {
      tell(missed(error));
      throw error;
    }
  }

  const nameOf = (url: string) =>
    services.find(([address]) => url.startsWith(address))?.[1] ?? "other";
  const fetched = () => ({ result: "2xx", attempts: 1 });
  return {
    ...http,
    request: (request) =>
      told(
        nameOf(request.url),
        () => http.request(request),
        ({ status, attempts }) => ({ result: `${Math.floor(status / 100)}xx`, attempts }),
      ),
    download: (request) => told("attachments", () => http.download(request), fetched),
    open: (request) => told("attachments", () => http.open(request), fetched),
  };
}

function missed(error: unknown): Pick<ObservedRequest, "result" | "attempts"> {
  if (!(error instanceof BotError)) return { result: "aborted", attempts: 1 };
  // What else is refused was refused by us, before it left.
  const left = error instanceof NetworkError ? 1 : 0;
  return { result: error.code, attempts: Number(error.facts.attempts ?? left) };
}

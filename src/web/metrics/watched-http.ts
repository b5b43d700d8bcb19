import { BotError } from "../../errors.ts";
import type { Http, HttpAnswer } from "../../http/index.ts";

/** One request to a service, with all of its attempts. */
export interface ObservedRequest {
  readonly service: string;
  /** `2xx` to `5xx`, or why there was no answer: `unreachable`, `timeout`, `cut`, `aborted`, or the code of a refusal. */
  readonly result: string;
  readonly attempts: number;
  readonly ms: number;
}

export interface WatchedHttpOptions {
  /** Names by the beginning of their addresses; the first that fits counts, and `other` where none does. */
  readonly services: readonly (readonly [address: string, name: string])[];
  readonly observe: (request: ObservedRequest) => void;
}

/** The same client, with each request observed. Files that people attached count as `attachments`. */
export function createWatchedHttp(http: Http, { services, observe }: WatchedHttpOptions): Http {
  async function observeRequest<T>(
    service: string,
    work: () => Promise<T>,
    how: (answer: T) => Pick<ObservedRequest, "result" | "attempts">,
  ): Promise<T> {
    const startedAt = performance.now();
    const report = (seen: Pick<ObservedRequest, "result" | "attempts">) =>
      observe({ service, ms: performance.now() - startedAt, ...seen });
    try {
      const answer = await work();
      report(how(answer));
      return answer;
    } catch (error) {
      report(failedResult(error));
      throw error;
    }
  }

  const findService = (url: string) =>
    services.find(([address]) => url.startsWith(address))?.[1] ?? "other";
  const fetched = () => ({ result: "2xx", attempts: 1 });
  return {
    ...http,
    request: (request) => {
      const { around } = request;
      const name = findService(request.url);
      const result = ({ status }: HttpAnswer) => `${Math.floor(status / 100)}xx`;
      if (around === undefined) {
        const send = () => http.request(request);
        return observeRequest(name, send, (response) => ({
          result: result(response),
          attempts: response.attempts,
        }));
      }
      // Each attempt by itself: how long they wait for their turns says nothing about the service.
      return http.request({
        ...request,
        around: (send) =>
          around(() =>
            observeRequest(name, send, (answer) => ({ result: result(answer), attempts: 1 })),
          ),
      });
    },
    download: (request) => observeRequest("attachments", () => http.download(request), fetched),
    open: (request) => observeRequest("attachments", () => http.open(request), fetched),
  };
}

function failedResult(error: unknown): Pick<ObservedRequest, "result" | "attempts"> {
  if (!(error instanceof BotError)) return { result: "aborted", attempts: 1 };
  const { attempts = error.outcome === "unknown" ? 1 : 0 } = error.facts;
  return { result: error.code, attempts: Number(attempts) };
}

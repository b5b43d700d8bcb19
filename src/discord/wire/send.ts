import {
  DiscordAPIError,
  MessageFlags,
  type RawFile,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from "discord.js";
import { backOffMs } from "../../clock.ts";
import type { Rendered } from "../draw/render.ts";

export interface Address {
  readonly applicationId: string;
  /** The interaction's token: good for 15 minutes. */
  readonly token: string;
}

export interface SendTools {
  readonly rest: REST;
  readonly random: () => number;
}

const { UnknownMessage } = RESTJSONErrorCodes;
const waits = { firstMs: 600, longestMs: 15_000, jitter: 1 };
const tries = 6;

/** What is sent in the place of the interaction's own answer; the same edit twice changes nothing, so it may be repeated. */
export async function editOriginal(
  address: Address,
  rendered: Rendered,
  tools: SendTools,
): Promise<unknown> {
  const route = Routes.webhookMessage(address.applicationId, address.token, "@original");
  const sent = { ...request(rendered), auth: false };
  return persist(tools, () => tools.rest.patch(route, sent));
}

/** An answer beside the first one that only its person sees. After a cut it is sent again: told twice is better than never. */
export async function followUpPrivately(address: Address, rendered: Rendered, tools: SendTools) {
  const payload = { ...rendered.payload, flags: rendered.payload.flags | MessageFlags.Ephemeral };
  const route = Routes.webhook(address.applicationId, address.token);
  const sent = { ...request({ ...rendered, payload }), auth: false };
  await persist(tools, () => tools.rest.post(route, sent));
}

export async function deleteOriginal(address: Address, tools: SendTools) {
  const route = Routes.webhookMessage(address.applicationId, address.token, "@original");
  await persist(tools, async () => {
    try {
      await tools.rest.delete(route, { auth: false });
    } catch (error) {
      // An earlier try whose answer was cut off had already removed it.
      if (!(error instanceof DiscordAPIError && error.code === UnknownMessage)) throw error;
    }
  });
}

/** As the library takes it. */
export function request({ payload, files }: Rendered) {
  return {
    body: payload,
    files: files.map(
      (file, id): RawFile => ({
        name: file.name,
        data: asBuffer(file.data),
        key: `files[${id}]`,
      }),
    ),
  };
}

/** A view: the library makes a copy of its own. */
function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Retry class `set`: 5xx and cuts are repeated with full jitter, refusals are final. */
export async function persist(
  tools: Pick<SendTools, "random">,
  send: () => Promise<unknown>,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt >= tries || !mayPass(error)) throw error;
      const waitMs = backOffMs(attempt, { ...waits, random: tools.random });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Whether another try may succeed. */
export function mayPass(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return error.status === 429;
  return !(error instanceof TypeError);
}

import type { REST } from "discord.js";
import { mark } from "./marks.ts";
import { guildIds, type Server } from "./people.ts";

/** One request to Discord. */
export interface Recorded {
  readonly body: unknown;
  /** The body and the files, as text. */
  readonly text: string;
}

interface Request {
  readonly body?: unknown;
  readonly files?: readonly { readonly name: string; readonly data: Uint8Array }[];
}

/** Records what the bot sends, by the token of the interaction that it answers; `onSent` gets that token. */
export function recordingRest(
  sent: Map<string, Recorded[]>,
  onSent: (token: string) => void,
): REST {
  let lastId = 740_000_000_000_000_000n;

  const note = async (path: string, { body, files = [] }: Request = {}) => {
    const token = /\/(token-of-\d+)/u.exec(path)?.[1] ?? "unasked";
    const contents = files.map(({ name, data }) => `${name} ${wordsIn(name, data)}`);
    const text = [JSON.stringify(body ?? null), ...contents].join("\n");
    sent.set(token, [...(sent.get(token) ?? []), { body, text }]);
    onSent(token);
    lastId += 1n;
    return { id: String(lastId), channel_id: "1" };
  };
  const get = async (path: string) => {
    const [server] = Object.entries(guildIds).find(([, id]) => path.includes(id)) ?? [];
    return { id: path, name: `Server ${mark(`G${server as Server}`)}`, owner_id: "1" };
  };
  // Only what the dispatcher calls.
  return { post: note, patch: note, delete: note, get } as unknown as REST;
}

/** Not pictures: in millions of their bytes, every short word occurs by chance. */
function wordsIn(name: string, data: Uint8Array): string {
  return /\.(png|jpe?g|webp|gif|zip)$/iu.test(name) ? "" : Buffer.from(data).toString();
}

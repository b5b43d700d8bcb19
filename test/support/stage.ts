import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { APIMessage } from "discord-api-types/v10";
import { createLog } from "../../src/log.ts";
import { type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import type { GatewayEvent, RestExchange } from "../../src/sandbox/platform/index.ts";
import type { OpenForm, Person, SandboxFile } from "../../src/sandbox/types.ts";
import type { SeenRequest } from "../../src/sandbox/video/index.ts";
import { type Deployment, openDeployment, stageDeployment } from "./deployments.ts";
import { checkExchange, checkGatewayObject, type GatewayKind } from "./discord-spec.ts";
import { type Left, leftIn, watchSecrets } from "./leaks.ts";

/** The whole sandbox, with all traffic to and from its Discord and everything that was logged. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * Opens the sandbox. remove.bg's stand-in takes the middle of every picture for the subject. Tests that need it to find
 * the real subject set `background: { matting: "network" }`, which costs a second per picture. The deployment is one
 * bot at the gateway with SQLite, unless GREENROOM_STAGE names another.
 */
export async function openStage(
  options: Pick<
    SandboxOptions,
    "random" | "now" | "background" | "provesIdentity" | "ruleCosts" | "env"
  > & { readonly deployment?: Deployment } = {},
) {
  const { deployment = stageDeployment(), ...given } = options;
  const deployed = await openDeployment(deployment);
  const logged: string[] = [];
  const watch = watchSecrets();
  const secrets = watch.own;
  const shown: Left[] = [];
  const log = createLog({ level: "debug", secrets, write: (line) => logged.push(line) });
  const exchanges: RestExchange[] = [];
  const events: GatewayEvent[] = [];
  const videoRequests: SeenRequest[] = [];
  // How much of the traffic has been checked so far, and where it violated the specification.
  let checked = { exchanges: 0, events: 0 };
  const broken: string[] = [];
  const sandbox = await startSandbox({
    ...given,
    ...deployed.options,
    ...(options.env && { env: options.env }),
    background: { matting: "ellipse", ...options.background },
    log,
    secrets,
    // The bytes of pictures and videos are dropped: they contain no text and would fill the memory.
    onExchange: ({ requestFiles, ...exchange }) =>
      exchanges.push({ ...exchange, requestFiles: requestFiles.map(withoutPictures) }),
    onGatewayEvent: (event) => {
      events.push(event);
      const { token } = event.data as { readonly token?: unknown };
      if (typeof token === "string") watch.secret(token);
    },
    onVideoRequest: (seen) => videoRequests.push(seen),
  });
  const { platform, video, background, oauth } = sandbox;
  // The bot itself must refuse commands that a person may not use, even if Discord shows them.
  platform.showAllCommands(true);
  const own = [
    platform.token,
    platform.clientSecret,
    video.key,
    background.key,
    oauth.clientSecret,
  ];
  for (const value of own) watch.secret(value);
  const leaks = () =>
    watch.leaks([
      ...exchanges.flatMap((exchange) => [...leftIn(exchange)]),
      ...logged.map((text) => ({ where: "a line of the log", text })),
      ...shown,
    ]);
  return {
    sandbox,
    exchanges,
    logged,
    /** Requests to YouTube's stand-in, in the order of its responses. */
    videoRequests,
    /** Where the traffic so far violates Discord's published specification. */
    violations: async () => {
      const end = { exchanges: exchanges.length, events: events.length };
      const ofExchanges = await Promise.all(
        exchanges.slice(checked.exchanges, end.exchanges).map(checkExchange),
      );
      const ofEvents = await Promise.all(
        events
          .slice(checked.events, end.events)
          .map(({ name, data }) => checkGatewayObject(name as GatewayKind, data)),
      );
      checked = end;
      broken.push(...[...ofExchanges, ...ofEvents].flat());
      return [...broken];
    },
    /** Adds a value to the secrets that must not leak. Those of the stand-ins and of the bot are known already. */
    secret: watch.secret,
    /** All secrets known so far. */
    secrets: watch.known,
    /** Adds something else that left the process, such as a page or an export, to what is searched for secrets. */
    left: (left: Left) => shown.push(left),
    /** Where a secret of this run was found: in requests to Discord, in the log, or in what was given to `left`. */
    leaks,
    /** @throws if a secret has leaked */
    async close() {
      await sandbox.close();
      await deployed.stop();
      const found = leaks();
      if (found.length > 0) throw new Error(`secrets have left:\n${found.join("\n")}`);
    },
  };
}

type ExchangedFile = RestExchange["requestFiles"][number];

function withoutPictures(file: ExchangedFile): ExchangedFile {
  return /^(image|video)\//u.test(file.type) ? { ...file, data: new Uint8Array() } : file;
}

type Suggesting = Parameters<Person["suggest"]>;

/** Suggestions for a person who types until some appear: the first answer leaves out those that come late. */
export async function offered(person: Person, ...typing: Suggesting) {
  for (let tries = 0; tries < 20; tries += 1) {
    const found = await person.suggest(...typing);
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [];
}

/** Narrows an answer to a message. */
export function asMessage(answer: APIMessage | OpenForm): APIMessage {
  if ("interaction_id" in answer) throw new Error(`a form came: ${answer.title}`);
  return answer as APIMessage;
}

export function asForm(answer: APIMessage | OpenForm): OpenForm {
  if (!("interaction_id" in answer))
    throw new Error(`no form came: ${textOf(answer as APIMessage)}`);
  return answer as OpenForm;
}

/** Fields in which a backslash escapes. It does not in titles, names, choices and buttons. */
const escaped: ReadonlySet<string> = new Set(["content", "description", "value"]);

/** All text of a message as people read it: without escaping backslashes, and with a command's name for its mention. */
export function textOf(message: APIMessage): string {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [name, value] of Object.entries(part)) {
      if (typeof value !== "string") visit(value);
      else if (escaped.has(name) && !("label" in part)) found.push(unescaped(value));
      else if (["title", "name", "text", "label", ...escaped].includes(name)) found.push(value);
    }
  };
  visit([message.content ? { content: message.content } : [], message.embeds, message.components]);
  return found.join("\n");
}

/** Removes backslashes, except in the labels of links, where Discord shows them. */
function unescaped(text: string): string {
  const mentioned = text.replaceAll(/(?<!\\)<\/([^:<>\n]+):\d+>/gu, "/$1");
  return mentioned.replaceAll(
    /(?<!\\)\[[^\]]*\]\(https?:[^)\s]*\)|\\(?=[^\p{L}\p{N}\s])/gu,
    (found) => (found === "\\" ? "" : found),
  );
}

export function isEphemeral(message: APIMessage): boolean {
  return ((message.flags ?? 0) & 64) !== 0;
}

export async function photo(name: "cat" | "coffee" | "astronaut"): Promise<SandboxFile> {
  const path = join(import.meta.dirname, `../../src/sandbox/samples/${name}.jpg`);
  return { name: `${name}.jpg`, type: "image/jpeg", data: await readFile(path) };
}

export async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url);
  return Buffer.from(await response.arrayBuffer());
}

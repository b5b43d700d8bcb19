import { backgroundEngines } from "../../background/index.ts";
import {
  type Form,
  notice,
  type OptionsOf,
  type Reply,
  type RequestInfo,
  typedText,
} from "../../discord/index.ts";
import { InputError, ServiceError } from "../../errors.ts";
import { nextSteps } from "../cards/index.ts";
import type { CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { keyForm } from "./keys.ts";

export const engineOptions = {
  engine: option.choice({
    group: "backgroundEngine",
    values: backgroundEngines,
    required: true,
  }),
  address: option.text({ max: 300 }),
} as const;

type EngineOptions = Partial<OptionsOf<typeof engineOptions>>;

/** The form for the key that remove.bg and services like it need; undefined for rembg, which has none. */
export function engineForm(
  request: RequestInfo,
  { engine, address }: EngineOptions,
): Form | undefined {
  if (engine === "rembg") return undefined;
  const place = address === undefined ? {} : { address: readEngineAddress(address) };
  return keyForm(request, { kind: "background-key", ...place });
}

/** Connects rembg, once it has answered. @throws InputError `engine_address_missing`, `engine_address`; ServiceError `engine_failed` */
export async function connectRembg(ctx: CtxFor<typeof engineOptions>): Promise<Reply> {
  const { words, signal } = ctx;
  if (ctx.options.address === undefined) {
    const option =
      words.find("connect.command.background-engine.options.address.name") ?? "address";
    throw new InputError("rembg has no usual address", {
      code: "engine_address_missing",
      facts: { option },
    });
  }
  const address = readEngineAddress(ctx.options.address);
  const access = { secret: "", engine: "rembg", address } as const;
  await ctx.clients.background(access).probe({ signal }).catch(refuseAbsent);
  await ctx.credentials.write("background-key", access);
  const { host } = new URL(address);
  const disconnect = words.mention("connect disconnect");
  return notice({
    tone: "good",
    title: words.say("connect.engine.title"),
    text: words.md("connect.engine.text", { host, disconnect }),
    buttons: await nextSteps(ctx, "background-key"),
  });
}

/** If nothing answers at an address that was just entered, the message says to check the address. */
function refuseAbsent(error: unknown): never {
  const isAbsent =
    error instanceof ServiceError &&
    error.code === "engine_failed" &&
    ["unreachable", "other"].includes(`${error.facts.reason}`);
  if (!isAbsent) throw error;
  throw new ServiceError("no rembg answers at the address", {
    code: "engine_failed",
    facts: { reason: "absent", answer: "none" },
    cause: error,
  });
}

/**
 * An address as people type it. That it leads to a public host is checked whenever it is used: its name can lead elsewhere
 * later. `http:` is for the sandbox, whose stand-ins are the only hosts that are reached that way.
 * @throws InputError `engine_address`
 */
function readEngineAddress(typed: string): string {
  const url = URL.parse(typed.trim().replace(/^<(.*)>$/u, "$1"));
  const isPlain =
    url !== null && url.username === "" && url.password === "" && url.search + url.hash === "";
  const isStandIn = url?.protocol === "http:" && url.hostname === "127.0.0.1";
  if (!isPlain || (url.protocol !== "https:" && !isStandIn)) {
    // Without the name and the password that may be in it.
    const given = typedText(url?.host || typed);
    throw new InputError("not an address for an engine", {
      code: "engine_address",
      facts: { given },
    });
  }
  return `${url.origin}${url.pathname.replace(/\/$/u, "")}`;
}

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { REST } from "@discordjs/rest";
import { MessageFlags } from "discord-api-types/v10";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RenderedMessage } from "../../../src/discord/draw/render.ts";
import { createCallbackRest } from "../../../src/discord/wire/acknowledge.ts";
import {
  type AnswerSendDeps,
  deleteOriginal,
  editOrFollowUp,
  editOriginal,
  followUpPrivately,
  readOriginal,
} from "../../../src/discord/wire/send.ts";
import { LostError, whileOwned } from "../../../src/ownership.ts";

// All copies of undici share one global dispatcher, which comes from the copy that this process loads first.
const requireForDiscord = createRequire(createRequire(import.meta.url).resolve("discord.js"));
const { Agent } = requireForDiscord("undici") as { readonly Agent: new () => never };

const address = { applicationId: "1", token: "token" };

/** Answers with these statuses in turn, and records what it received. */
async function startReceiver(statuses: readonly number[], code = 0) {
  const forms: FormData[] = [];
  const methods: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const body = new Uint8Array(await buffer(request));
    const type = request.headers["content-type"];
    const headers = { "content-type": type ?? "" };
    if (type !== undefined) forms.push(await new Response(body, { headers }).formData());
    methods.push(request.method);
    response.writeHead(statuses[methods.length - 1] ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ code, message: "no" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const rest = new REST({ api: `http://127.0.0.1:${port}`, retries: 0 });
  rest.setAgent(new Agent());
  return { forms, methods, to: { ...address, rest, random: () => 0 } };
}

const parts = ["one ", "two ", "three"].map((text) => Buffer.from(text));

function message(): RenderedMessage {
  const payload = { flags: 0, components: [], attachments: [], allowed_mentions: { parse: [] } };
  async function* read() {
    yield* parts;
  }
  const onDisk = { bytes: Buffer.concat(parts).length, read };
  const files = [
    { name: "list.json", onDisk },
    { name: "plain.txt", data: Buffer.from("plain") },
  ];
  return { payload, files } as unknown as RenderedMessage;
}

async function contentsOf(form: FormData | undefined) {
  const entries = [...(form?.entries() ?? [])].map(async ([name, value]) =>
    typeof value === "string" ? [name, value] : [name, value.name, await value.text()],
  );
  return Promise.all(entries);
}

const sent = [
  ["payload_json", JSON.stringify(message().payload)],
  ["files[0]", "list.json", "one two three"],
  ["files[1]", "plain.txt", "plain"],
];

describe("an answer that Discord limits", () => {
  async function limited() {
    const times: number[] = [];
    const server = createServer(async (request, response) => {
      await buffer(request);
      times.push(performance.now());
      const [status, wait] = times.length === 1 ? [429, { "retry-after": "1" }] : [200, {}];
      response.writeHead(status, { "content-type": "application/json", ...wait });
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const rest = createCallbackRest({ api: `http://127.0.0.1:${port}` });
    rest.setAgent(new Agent());
    return { times, to: { ...address, rest, random: () => 0 } };
  }

  it("is sent again after the time that Discord names", async () => {
    const { times, to } = await limited();

    await editOriginal(to, message());

    const [first = 0, second = 0] = times;
    // A timer may be a millisecond early.
    expect(second - first).toBeGreaterThan(990);
  });

  it("is not sent again where another process has the interaction by then", async () => {
    const { times, to } = await limited();

    const work = whileOwned(
      async () => false,
      () => editOriginal(to, message()),
    );

    await expect(work).rejects.toThrow(LostError);
    expect(times).toHaveLength(1);
  });
});

describe("editOriginal", () => {
  it("streams a file from the disk into the form, beside others", async () => {
    const { forms, to } = await startReceiver([200]);

    await editOriginal(to, message());

    expect(await contentsOf(forms[0])).toEqual(sent);
  });

  it("reads the file again for another try", async () => {
    const { forms, to } = await startReceiver([502, 200]);

    await editOriginal(to, message());

    expect(await contentsOf(forms[1])).toEqual(sent);
  });

  it("does not send again what is too large", async () => {
    const { forms, to } = await startReceiver([413, 200]);

    await expect(editOriginal(to, message())).rejects.toMatchObject({ status: 413 });

    expect(forms).toHaveLength(1);
  });
});

describe("what an answer needs", () => {
  it.each<[string, (to: AnswerSendDeps) => Promise<unknown>]>([
    ["the edit", (to) => editOriginal(to, message())],
    ["a message beside it", (to) => followUpPrivately(to, message())],
    ["to be deleted", (to) => deleteOriginal(to)],
    ["to be read", (to) => readOriginal(to)],
  ])("is asked for again after eight failures: %s", async (_, ask) => {
    const { methods, to } = await startReceiver(Array(8).fill(503));

    await ask(to);

    expect(methods).toHaveLength(9);
  });
});

describe("an answer that somebody has deleted", () => {
  it("goes with its files to the person who asked alone", async () => {
    const { forms, methods, to } = await startReceiver([404, 200], 10_008);

    expect(await editOrFollowUp(to, message())).toBeUndefined();

    expect(methods).toEqual(["PATCH", "POST"]);
    const [[, payload], ...files] = (await contentsOf(forms[1])) as [[string, string]];
    expect(JSON.parse(payload)).toEqual({
      ...message().payload,
      flags: MessageFlags.Ephemeral,
    });
    expect(files).toEqual(sent.slice(1));
  });

  it("gets no progress any more", async () => {
    const { methods, to } = await startReceiver([404], 10_008);

    expect(await editOriginal(to, message())).toBe("deleted");

    expect(methods).toEqual(["PATCH"]);
  });

  it.each([editOrFollowUp, editOriginal])(
    "is told from one that can't be edited (%o)",
    async (edit) => {
      const { methods, to } = await startReceiver([404], 10_015);

      await expect(edit(to, message())).rejects.toMatchObject({ code: 10_015 });

      expect(methods).toEqual(["PATCH"]);
    },
  );
});

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { REST } from "discord.js";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RenderedMessage } from "../../../src/discord/draw/render.ts";
import { editOriginal } from "../../../src/discord/wire/send.ts";

// Every copy of undici shares one global dispatcher, that of whichever file of this process loaded its copy first.
const requireForDiscord = createRequire(createRequire(import.meta.url).resolve("discord.js"));
const { Agent } = requireForDiscord("undici") as { readonly Agent: new () => never };

/** Answers with these statuses, one after the other, and notes the forms it got. */
async function startReceiver(statuses: readonly number[]) {
  const forms: FormData[] = [];
  const server = createServer(async (request, response) => {
    const body = new Uint8Array(await buffer(request));
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    forms.push(await new Response(body, { headers }).formData());
    response.writeHead(statuses[forms.length - 1] ?? 200, { "content-type": "application/json" });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const rest = new REST({ api: `http://127.0.0.1:${port}`, retries: 0 });
  rest.setAgent(new Agent());
  return { forms, tools: { rest, random: () => 0 } };
}

const address = { applicationId: "1", token: "token" };
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

describe("editOriginal", () => {
  it("streams a file from the disk into the form, beside others", async () => {
    const { forms, tools } = await startReceiver([200]);

    await editOriginal(address, message(), tools);

    expect(await contentsOf(forms[0])).toEqual(sent);
  });

  it("reads the file again for another try", async () => {
    const { forms, tools } = await startReceiver([502, 200]);

    await editOriginal(address, message(), tools);

    expect(await contentsOf(forms[1])).toEqual(sent);
  });

  it("does not send again what is too large", async () => {
    const { forms, tools } = await startReceiver([413, 200]);

    await expect(editOriginal(address, message(), tools)).rejects.toMatchObject({ status: 413 });

    expect(forms).toHaveLength(1);
  });
});

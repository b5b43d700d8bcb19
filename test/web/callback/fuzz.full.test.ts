import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seed, seeded } from "../../support/random.ts";
import { createHostile, type Hostile } from "./hostile.ts";
import { type CallbackStage, openCallback } from "./stage.ts";

const requests = 10_000;
const atOnce = 8;

let stage: CallbackStage;

beforeAll(async () => {
  stage = await openCallback();
});
afterAll(() => stage.close());

/** What is wrong with the response; undefined when nothing is. */
async function findProblem({ target, asked, marker }: Hostile): Promise<string | undefined> {
  const { status, headers, body } = await stage.client.ask(target, asked);
  const sent = `${asked.method} ${target.slice(0, 200)}`;
  if (status >= 500) return `${status}: ${sent}`;
  if (`${JSON.stringify(headers)}${body}`.includes(marker)) return `reflected: ${sent}`;
  if (status === 303 && headers.location?.includes("/oauth/done")) return `let through: ${sent}`;
  return undefined;
}

async function send(count: number, next: () => Hostile): Promise<readonly string[]> {
  const faults: string[] = [];
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const hostile = next();
      const fault = await findProblem(hostile).catch((error: NodeJS.ErrnoException) =>
        // The server may cut the connection while oversized headers are still being sent.
        ["ECONNRESET", "EPIPE"].includes(error.code ?? "") ? undefined : `${error}`.slice(0, 200),
      );
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return faults;
}

describe("10,000 hostile requests around one valid answer", () => {
  it("let only that one reach the token endpoint", async () => {
    console.log(`seed ${seed}`);
    const begun = [];
    for (let number = 0; number < 6; number += 1) begun.push(await stage.begin(number));
    const [first, ...rest] = begun;
    if (first === undefined) throw new Error("no link was begun");
    const answer = await stage.agree(first);
    const code = new URLSearchParams(answer.split("?")[1]).get("code") ?? "";
    const next = createHostile(seeded(seed), {
      own: first,
      others: rest,
      code,
      cookie: stage.cookie,
    });
    const valid = { headers: { Cookie: stage.cookie(first.browser) } };

    const warm = await send(500, next);
    const before = await send(requests / 2 - 500, next);
    const exchangedBefore = stage.exchanged.length;
    const passed = await stage.client.ask(answer, valid);
    const replays = await Promise.all([1, 2, 3].map(() => stage.client.ask(answer, valid)));
    const after = await send(requests / 2, next);

    expect([...warm, ...before, ...after].slice(0, 10)).toEqual([]);
    expect(exchangedBefore).toBe(0);
    expect([passed.status, passed.headers.location]).toEqual([303, "/oauth/done"]);
    expect(replays.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect(stage.exchanged).toHaveLength(1);
    expect(`${stage.exchanged[0]?.body}`).toContain(encodeURIComponent(code));
    expect(stage.pending).toHaveLength(1);
  });
});

import type { RESTOptions } from "discord.js";
import { describe, expect, it } from "vitest";
import { createRequestLimit } from "../../../src/discord/wire/request-limit.ts";
import { LostError, whileOwned } from "../../../src/ownership.ts";

type Answer = Awaited<ReturnType<RESTOptions["makeRequest"]>>;

/** A clock that only `pass` moves, and a record of when each request was sent. */
function openLimit(perSecond: () => number) {
  let now = 0;
  let alarms: { readonly at: number; readonly call: () => void }[] = [];
  const sent: string[] = [];
  const limit = createRequestLimit({
    perSecond,
    clock: {
      now: () => now,
      after: (ms, call) => {
        alarms.push({ at: now + ms, call });
        return () => undefined;
      },
    },
    request: async (url) => {
      sent.push(`${url} ${now}`);
      return {} as Answer;
    },
  });
  return {
    limit,
    sent,
    async pass(ms: number) {
      now += ms;
      const due = alarms.filter(({ at }) => at <= now);
      alarms = alarms.filter(({ at }) => at > now);
      for (const { call } of due) call();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("createRequestLimit", () => {
  it.each([
    ["1", '{"retry_after":1163.5}', "1163.5"],
    ["30", '{"retry_after":0.3}', "30"],
    [undefined, '{"retry_after":2}', "2"],
    [undefined, '{"retry_after":0}', null],
    [undefined, '{"retry_after":"x"}', null],
    ["7", "<html>", "7"],
  ])("takes the longer wait of a 429: header %s, body %s", async (header, body, expected) => {
    const headers = header === undefined ? {} : { "retry-after": header };
    const request = async () => new Response(body, { status: 429, headers });
    const clock = { now: () => 0, after: () => () => undefined };

    const answer = await createRequestLimit({ perSecond: () => 1, clock, request }).send()("a", {});

    expect(answer.headers.get("retry-after")).toBe(expected);
    expect(await answer.text()).toBe(body);
  });

  it("sends as many requests within a second as are allowed, and the next ones later", async () => {
    const { limit, sent, pass } = openLimit(() => 2);
    const send = limit.send();

    for (const url of ["a", "b", "c", "d", "e"]) void send(url, {});
    await pass(0);
    await pass(1_050);
    await pass(1_050);

    expect(sent).toEqual(["a 0", "b 0", "c 1050", "d 1050", "e 2100"]);
  });

  it("counts the requests of all senders together", async () => {
    const { limit, sent, pass } = openLimit(() => 1);

    void limit.send()("a", {});
    void limit.send()("b", {});
    await pass(0);

    expect(sent).toEqual(["a 0"]);
  });

  it("lets urgent requests go first", async () => {
    const { limit, sent, pass } = openLimit(() => 1);

    for (const url of ["a", "b"]) void limit.send()(url, {});
    void limit.send("urgent")("c", {});
    await pass(0);
    await pass(1_050);

    expect(sent).toEqual(["a 0", "c 1050"]);
  });

  it("follows a rate that changes because another process came", async () => {
    let rate = 2;
    const { limit, sent, pass } = openLimit(() => rate);
    const send = limit.send();

    for (const url of ["a", "b", "c", "d"]) void send(url, {});
    await pass(0);
    rate = 1;
    await pass(1_050);

    expect(sent).toEqual(["a 0", "b 0", "c 1050"]);
  });

  it("never sends what was given up while it waited", async () => {
    const { limit, sent, pass } = openLimit(() => 1);
    const abort = new AbortController();

    void limit.send()("a", {});
    const givenUp = limit.send()("b", { signal: abort.signal });
    abort.abort(new Error("too late"));

    await expect(givenUp).rejects.toThrow("too late");
    await pass(1_050);
    expect(sent).toEqual(["a 0"]);
  });

  it("sends no write of work that was lost while it waited for its turn", async () => {
    const { limit, sent, pass } = openLimit(() => 1);
    let isMine = true;
    const send = (url: string, method: string) =>
      whileOwned(
        async () => isMine,
        () => limit.send()(url, { method }),
      );

    const write = ["a", "b"].map((url) => send(url, "POST"));
    await pass(0);
    isMine = false;
    const refused = expect(write[1]).rejects.toThrow(LostError);
    const read = send("c", "GET");
    await pass(1_050);
    await refused;
    await pass(1_050);
    await read;

    expect(sent).toEqual(["a 0", "c 2100"]);
  });
});
